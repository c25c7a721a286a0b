package io.throughputoptimizer.web;

import io.throughputoptimizer.web.description.Reported;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/// Has [Reported] operations produce every format of reports there is, so that others are refused before anything is
/// done.
final class ReportedMappings extends RequestMappingHandlerMapping {
    @Override
    protected @Nullable RequestMappingInfo getMappingForMethod(Method method, Class<?> handlerType) {
        RequestMappingInfo mapping = super.getMappingForMethod(method, handlerType);
        return mapping == null || !method.isAnnotationPresent(Reported.class)
                ? mapping
                : mapping.mutate().produces(Reported.Types.all()).build();
    }
}
