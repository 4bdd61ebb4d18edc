package org.example.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;

/** Documents as XML, for the tools of the archive. */
final class XmlCodec implements Codec {

    private final XMLOutputFactory writers = XMLOutputFactory.newInstance();
    private final XMLInputFactory readers = XMLInputFactory.newInstance();

    XmlCodec() {
        readers.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        readers.setProperty(XMLInputFactory.IS_COALESCING, true);
    }

    @Override
    public byte[] encode(Document document) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
        try {
            XMLStreamWriter out = writers.createXMLStreamWriter(bytes, "UTF-8");
            out.writeStartDocument("UTF-8", "1.0");
            out.writeStartElement("document");
            out.writeAttribute("id", Long.toString(document.id()));
            out.writeAttribute("version", Integer.toString(document.version()));
            for (String tag : document.tags()) {
                element(out, "tag", null, tag);
            }
            for (Map.Entry<String, String> field : document.fields().entrySet()) {
                element(out, "field", field.getKey(), field.getValue());
            }
            for (String note : document.history()) {
                element(out, "note", null, note);
            }
            out.writeEndElement();
            out.writeEndDocument();
            out.close();
        } catch (XMLStreamException e) {
            throw new IOException("document " + document.id(), e);
        }
        return bytes.toByteArray();
    }

    private static void element(XMLStreamWriter out, String kind, String name, String text) throws XMLStreamException {
        out.writeStartElement(kind);
        if (name != null) {
            out.writeAttribute("name", name);
        }
        out.writeCharacters(text);
        out.writeEndElement();
    }

    @Override
    public Document decode(byte[] bytes) throws IOException {
        long id = -1;
        int version = 0;
        List<String> tags = new ArrayList<>();
        SortedMap<String, String> fields = new TreeMap<>();
        List<String> history = new ArrayList<>();
        try {
            XMLStreamReader in = readers.createXMLStreamReader(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.name());
            while (in.hasNext()) {
                if (in.next() != XMLStreamReader.START_ELEMENT) {
                    continue;
                }
                switch (in.getLocalName()) {
                    case "document" -> {
                        id = Long.parseLong(in.getAttributeValue(null, "id"));
                        version = Integer.parseInt(in.getAttributeValue(null, "version"));
                    }
                    case "tag" -> tags.add(in.getElementText());
                    case "field" -> {
                        String name = in.getAttributeValue(null, "name");
                        fields.put(name, in.getElementText());
                    }
                    default -> history.add(in.getElementText());
                }
            }
            in.close();
        } catch (XMLStreamException e) {
            throw new IOException("not a document", e);
        }
        return new Document(id, version, tags, fields, history);
    }
}
