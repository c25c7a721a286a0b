FROM eclipse-temurin:25-jdk AS build
WORKDIR /build
COPY mvnw pom.xml ./
COPY .mvn .mvn
COPY src src
RUN ./mvnw -B --no-transfer-progress -DskipTests package \
 && mv target/throughput-optimizer-*.jar throughput-optimizer.jar \
 && java -Djarmode=tools -jar throughput-optimizer.jar extract --layers --destination layers

FROM eclipse-temurin:25-jre
RUN useradd --system --uid 10001 --no-create-home optimizer \
 && install --directory --owner=10001 /data
WORKDIR /service
# From what changes least to what changes most, so that an update transfers only the last layer.
COPY --from=build /build/layers/dependencies/ ./
COPY --from=build /build/layers/spring-boot-loader/ ./
COPY --from=build /build/layers/snapshot-dependencies/ ./
COPY --from=build /build/layers/application/ ./
USER 10001
# Outside callers reach a container only if the service listens on all its addresses. It starts so only once there are keys in its
# database, or with OPTIMIZER_SECURITY_ACCESS=open: docs/security.md.
ENV SERVER_ADDRESS=0.0.0.0
ENV OPTIMIZER_STORAGE_FOLDER=/data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["java", "-jar", "throughput-optimizer.jar"]
