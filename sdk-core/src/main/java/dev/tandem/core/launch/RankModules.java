package dev.tandem.core.launch;

import com.google.inject.Module;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the modules that a {@link RankProgram} takes its objects from; the core's own module is always there. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RankModules {

    /**
     * The modules; each has a constructor without arguments.
     *
     * @return module classes
     */
    Class<? extends Module>[] value();
}
