package io.throughputoptimizer;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/// A setting and what it takes.
///
/// @param name in full, as in `optimizer.jobs.workers`
/// @param type as which it is read
/// @param needed what it takes, for people
/// @param rule of the text that is given and the value that it is read as
/// @param takesNothing whether the empty text is a value
record Setting(String name, Bindable<?> type, String needed, Rule rule, boolean takesNothing) {

    /// What a setting takes.
    @FunctionalInterface
    interface Rule {
        boolean holds(String text, Object value);
    }

    static Setting of(String name, Class<?> type, String needed, Predicate<Object> rule) {
        return new Setting(name, Bindable.of(type), needed, (_, value) -> rule.test(value), false);
    }

    /// A member of a record of settings.
    static Setting of(String name, RecordComponent component) {
        Bindable<?> type = Bindable.of(ResolvableType.forType(component.getGenericType()));
        Takes takes = component.getAnnotation(Takes.class);
        if (takes != null) {
            SettingKind kind = takes.value();
            return new Setting(name, type, kind.words(), (_, value) -> kind.takes(value), kind.takesNothing());
        }
        if (component.getType() == Duration.class) {
            return time(name, type, field(component));
        }
        if (component.getType() == DataSize.class) {
            return size(name, type, component.getAnnotation(SizeRange.class));
        }
        if (component.getType().isEnum()) {
            return new Setting(
                    name, type, "one of " + words(component.getType()) + " is needed", (_, _) -> true, false);
        }
        return Number.class.isAssignableFrom(ClassUtils.resolvePrimitiveIfNecessary(component.getType()))
                ? number(name, type, field(component))
                : any(name, type);
    }

    /// Whether elements of it may be given one by one.
    boolean isList() {
        return type.getType().resolve() == List.class;
    }

    /// Constraints are copied from a component to its field.
    private static Field field(RecordComponent component) {
        try {
            return component.getDeclaringRecord().getDeclaredField(component.getName());
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Setting number(String name, Bindable<?> type, Field field) {
        Min min = field.getAnnotation(Min.class);
        Max max = field.getAnnotation(Max.class);
        return number(
                name, type, min == null ? Long.MIN_VALUE : min.value(), max == null ? Long.MAX_VALUE : max.value());
    }

    static Setting number(String name, Bindable<?> type, long least, long most) {
        String needed = "a whole number from " + least + " to " + most + " is needed";
        return new Setting(
                name,
                type,
                needed,
                (_, value) ->
                        value instanceof Number number && number.longValue() >= least && number.longValue() <= most,
                false);
    }

    private static Setting time(String name, Bindable<?> type, Field field) {
        DurationMin min = field.getAnnotation(DurationMin.class);
        DurationMax max = field.getAnnotation(DurationMax.class);
        if (min == null || max == null) {
            return any(name, type);
        }
        Duration least = Duration.ofDays(min.days())
                .plusHours(min.hours())
                .plusMinutes(min.minutes())
                .plusSeconds(min.seconds())
                .plusMillis(min.millis())
                .plusNanos(min.nanos());
        Duration most = Duration.ofDays(max.days())
                .plusHours(max.hours())
                .plusMinutes(max.minutes())
                .plusSeconds(max.seconds())
                .plusMillis(max.millis())
                .plusNanos(max.nanos());
        return time(name, least, most);
    }

    /// A time needs its unit: without, it would be taken for milliseconds.
    static Setting time(String name, Duration least, Duration most) {
        return new Setting(
                name,
                Bindable.of(Duration.class),
                "a time with its unit (ms, s, m, h, d) from " + text(least) + " to " + text(most) + " is needed",
                (text, value) -> value instanceof Duration time
                        && time.compareTo(least) >= 0
                        && time.compareTo(most) <= 0
                        && !text.strip().chars().allMatch(Character::isDigit),
                false);
    }

    /// One that nobody has given a rule yet: what its type takes.
    private static Setting any(String name, Bindable<?> type) {
        return new Setting(name, type, "another value is needed", (_, _) -> true, false);
    }

    private static Setting size(String name, Bindable<?> type, @Nullable SizeRange range) {
        if (range == null) {
            return any(name, type);
        }
        DataSize least = DataSize.parse(range.min());
        DataSize most = DataSize.parse(range.max());
        return new Setting(
                name,
                type,
                "a size (B, KB, MB, GB) from " + range.min() + " to " + range.max() + " is needed",
                (_, value) -> value instanceof DataSize size && size.compareTo(least) >= 0 && size.compareTo(most) <= 0,
                false);
    }

    private static String text(Duration time) {
        if (time.toMillis() % 1000 != 0 || time.isZero()) {
            return time.toMillis() + "ms";
        }
        if (time.toSeconds() % 60 != 0) {
            return time.toSeconds() + "s";
        }
        if (time.toMinutes() % 60 != 0) {
            return time.toMinutes() + "m";
        }
        return time.toHours() % 24 != 0 ? time.toHours() + "h" : time.toDays() + "d";
    }

    private static String words(Class<?> choice) {
        return Stream.of(choice.getEnumConstants())
                .map(word -> word.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}
