package dev.tandem.core.npy;

import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads the header of a {@code .npy} file: a Python dictionary of exactly three entries in any order, nothing else of Python.
 *
 * <pre>
 *   header = '{' [ entry { ',' entry } [ ',' ] ] '}' spaces
 *   entry  = string ':' ( string | 'True' | 'False' | tuple )
 *   tuple  = '(' ')' | '(' size ',' ')' | '(' size ',' size { ',' size } [ ',' ] ')'
 *   size   = digits [ 'L' ]
 * </pre>
 */
final class HeaderParser {

    /** What is wrong with a header; the caller adds the file. */
    static final class BadHeader extends Exception {
        private static final long serialVersionUID = 1L;

        BadHeader(String message) {
            super(message);
        }
    }

    private final String text;
    private int at;

    private HeaderParser(String text) {
        this.text = text;
    }

    /** Parses a header; the text holds one char a byte. */
    static NpyDescriptor.Header parse(String text) throws BadHeader {
        return new HeaderParser(text).header();
    }

    private NpyDescriptor.Header header() throws BadHeader {
        String descr = null;
        Boolean fortran = null;
        long[] shape = null;
        expect('{');
        while (!accept('}')) {
            String key = string();
            expect(':');
            boolean again;
            switch (key) {
                case "descr" -> {
                    again = descr != null;
                    descr = descr();
                }
                case "fortran_order" -> {
                    again = fortran != null;
                    fortran = bool();
                }
                case "shape" -> {
                    again = shape != null;
                    shape = tuple();
                }
                default -> throw new BadHeader("unknown key '" + key + "'");
            }
            if (again) {
                throw new BadHeader("key '" + key + "' twice");
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (peek() != 0) {
            throw unexpected("nothing more");
        }
        if (descr == null || fortran == null || shape == null) {
            throw new BadHeader(
                    "no key '" + (descr == null ? "descr" : fortran == null ? "fortran_order" : "shape") + "'");
        }
        return new NpyDescriptor.Header(descr.substring(1),
                descr.charAt(0) == '<' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN, fortran, shape);
    }

    private String descr() throws BadHeader {
        if (peek() == '[') {
            throw new BadHeader("elements are records (a structured dtype); save one field as an array of its own");
        }
        String descr = string();
        if (descr.length() < 3 || descr.charAt(0) != '<' && descr.charAt(0) != '>') {
            throw new BadHeader(
                    "descr '" + descr + "' is not a type of known byte order, such as '<f2'; convert the array first");
        }
        return descr;
    }

    private boolean bool() throws BadHeader {
        if (word("True")) {
            return true;
        }
        if (word("False")) {
            return false;
        }
        throw unexpected("True or False");
    }

    private boolean word(String word) {
        peek();
        if (text.startsWith(word, at)) {
            at += word.length();
            return true;
        }
        return false;
    }

    private long[] tuple() throws BadHeader {
        long[] sizes = new long[NpyDescriptor.MAX_RANK];
        int rank = 0;
        boolean comma = true;
        expect('(');
        while (!accept(')')) {
            if (!comma) {
                throw unexpected("',' or ')'");
            }
            if (rank == sizes.length) {
                throw new BadHeader("more than " + sizes.length + " dimensions");
            }
            sizes[rank++] = size();
            comma = accept(',');
        }
        if (rank == 1 && !comma) {
            throw new BadHeader("shape (" + sizes[0] + ") is a number and not a tuple");
        }
        return Arrays.copyOf(sizes, rank);
    }

    private long size() throws BadHeader {
        boolean negative = accept('-');
        if (peek() < '0' || peek() > '9') {
            throw unexpected("a size");
        }
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        String digits = text.substring(start, at);
        if (at < text.length() && text.charAt(at) == 'L') {
            at++; // a long of Python 2
        }
        if (negative) {
            throw new BadHeader("negative size -" + shortened(digits) + " in the shape");
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new BadHeader("size " + shortened(digits) + " in the shape is larger than any file");
        }
    }

    private String string() throws BadHeader {
        char quote = peek();
        if (quote != '\'' && quote != '"') {
            throw unexpected("a quoted word");
        }
        int end = text.indexOf(quote, at + 1);
        if (end < 0) {
            throw new BadHeader("a quote that is never closed, at " + at);
        }
        String inside = text.substring(at + 1, end);
        if (inside.length() > 64 || !inside.chars().allMatch(c -> c > ' ' && c < 127 && c != '\\')) {
            throw new BadHeader("no plain word in quotes, at " + at);
        }
        at = end + 1;
        return inside;
    }

    private boolean accept(char wanted) {
        if (peek() == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char wanted) throws BadHeader {
        if (!accept(wanted)) {
            throw unexpected("'" + wanted + "'");
        }
    }

    /** The next character that is no space; 0 at the end. */
    private char peek() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t' || text.charAt(at) == '\n')) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private BadHeader unexpected(String wanted) {
        String seen;
        if (at >= text.length()) {
            seen = "the end";
        } else {
            char c = text.charAt(at);
            seen = c > ' ' && c < 127 ? "'" + c + "'" : "byte " + (int) c;
        }
        return new BadHeader(seen + " instead of " + wanted + ", at " + at);
    }

    private static String shortened(String digits) {
        return digits.length() <= 24 ? digits : digits.substring(0, 24) + "...";
    }
}
