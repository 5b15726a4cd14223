package dev.tandem.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Lets one class use what the build's forbidden-API check refuses elsewhere, and says why. */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface AllowedApi {

    /**
     * Gives the reason.
     *
     * @return why this place may
     */
    String value();
}
