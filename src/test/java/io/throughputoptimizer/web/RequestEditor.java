package io.throughputoptimizer.web;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/// Changes one member of a JSON document. Values are taken as text, since some tests need numbers that no JSON
/// library would write.
final class RequestEditor {
    private RequestEditor() {}

    /// The document with another value at a pointer; parents that are missing are made, and a list is made anew
    /// with that one element.
    static String with(String document, String pointer, String value) {
        ObjectNode root = (ObjectNode) JsonMapper.shared().readTree(document);
        JsonPointer place = JsonPointer.compile(pointer);
        ObjectNode parent = root;
        for (JsonPointer step = place; ; step = step.tail()) {
            String member = step.getMatchingProperty();
            JsonPointer rest = step.tail();
            if (rest.matches()) {
                parent.putRawValue(member, new RawValue(value));
                return root.toString();
            }
            if (rest.mayMatchElement() && rest.tail().matches()) {
                ArrayNode list = parent.putArray(member);
                list.addRawValue(new RawValue(value));
                return root.toString();
            }
            JsonNode child = parent.get(member);
            parent = child instanceof ObjectNode object ? object : parent.putObject(member);
        }
    }
}
