package io.throughputoptimizer.api.wire;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.OneOrMore;
import io.throughputoptimizer.api.WireFormat;
import jakarta.validation.constraints.Size;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A component of a record that came over the wire, for those who walk through a request.
///
/// @param component name in the record
/// @param name name in the API
/// @param longest list that it takes
public record RecordMember(RecordComponent source, String component, String name, int longest) {
    private static final ClassValue<List<RecordMember>> KNOWN = new ClassValue<>() {
        @Override
        protected List<RecordMember> computeValue(Class<?> type) {
            return type.isRecord()
                    ? Arrays.stream(type.getRecordComponents())
                            .map(RecordMember::of)
                            .toList()
                    : List.of();
        }
    };

    /// Components of a record, in order; none of any other class.
    public static List<RecordMember> of(Class<?> type) {
        return KNOWN.get(type);
    }

    private static RecordMember of(RecordComponent component) {
        Size size = component.getAccessor().getAnnotation(Size.class);
        return new RecordMember(
                component,
                component.getName(),
                WireFormat.memberName(component.getName()),
                size == null ? Bounds.LIST : size.max());
    }

    /// Returns the pointer of this field in a holder. The fields of an unwrapped component belong to the holder.
    public String under(String pointer) {
        return source.getAccessor().isAnnotationPresent(JsonUnwrapped.class) ? pointer : pointer + "/" + name;
    }

    boolean isList() {
        return List.class.isAssignableFrom(source.getType());
    }

    /// Returns whether the list is sent as one plain value, without elements to point at.
    boolean isPlain(List<?> value) {
        return value.size() == 1 && source.getAccessor().isAnnotationPresent(OneOrMore.class);
    }

    @Nullable
    public Object valueIn(Record holder) {
        try {
            return source.getAccessor().invoke(holder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + source, e);
        }
    }
}
