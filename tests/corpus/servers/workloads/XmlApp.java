package servers;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.xerces.jaxp.DocumentBuilderFactoryImpl;
import org.apache.xalan.processor.TransformerFactoryImpl;
import org.w3c.dom.Document;
import org.xml.sax.helpers.DefaultHandler;

/** A batch that parses orders, and makes pages of them. */
public final class XmlApp {
    private static final String SHEET =
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
                    + "<xsl:output method='html'/><xsl:template match='/'><html><body>"
                    + "<xsl:for-each select='orders/order[@total &gt; 50]'><xsl:sort select='@total'/>"
                    + "<p><xsl:value-of select='@id'/>: <xsl:value-of select='item'/></p>"
                    + "</xsl:for-each></body></html></xsl:template></xsl:stylesheet>";
    private final DocumentBuilderFactory parsers;
    private final TransformerFactory transformers = new TransformerFactoryImpl();
    private final boolean sharedBuilder;
    private final boolean sharedSheet;
    private DocumentBuilder builder;
    private Templates sheet;

    XmlApp(Settings settings) throws Exception {
        parsers = new DocumentBuilderFactoryImpl();
        parsers.setValidating(settings.flag("batch.validate", false));
        parsers.setNamespaceAware(settings.flag("batch.namespaces", true));
        parsers.setCoalescing(settings.flag("batch.coalesce", false));
        parsers.setAttribute(
                "http://apache.org/xml/features/dom/defer-node-expansion", settings.flag("batch.deferred", true));
        parsers.setAttribute(
                "http://apache.org/xml/properties/input-buffer-size", settings.number("batch.input.buffer", 8192));
        sharedBuilder = settings.flag("batch.builder.shared", true);
        sharedSheet = settings.flag("batch.sheet.shared", true);
    }

    public static void main(String[] args) throws Exception {
        XmlApp app = new XmlApp(new Settings(Path.of("app.properties")));
        long size = 0;
        for (int round = 0; round < Integer.parseInt(args[0]); round++) {
            size += app.page(orders(round)).length();
        }
        System.out.println(size);
    }

    String page(byte[] orders) throws Exception {
        Document document = builder().parse(new ByteArrayInputStream(orders));
        StringWriter out = new StringWriter();
        transformer().transform(new DOMSource(document), new StreamResult(out));
        return out.toString();
    }

    private DocumentBuilder builder() throws Exception {
        if (builder == null || !sharedBuilder) {
            builder = parsers.newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler());
        }
        return builder;
    }

    private Transformer transformer() throws Exception {
        if (sheet == null || !sharedSheet) {
            sheet = transformers.newTemplates(new StreamSource(new StringReader(SHEET)));
        }
        return sheet.newTransformer();
    }

    private static byte[] orders(int round) {
        StringBuilder text = new StringBuilder();
        text.append("<!DOCTYPE orders [<!ELEMENT orders (order*)><!ELEMENT order (item+)>");
        text.append("<!ATTLIST order id ID #REQUIRED total CDATA #REQUIRED note CDATA 'none'>");
        text.append("<!ELEMENT item (#PCDATA)>]><orders>");
        for (int order = 0; order < 120; order++) {
            text.append("<order id='o").append(order).append("' total='").append((order * 37 + round) % 100);
            text.append("'><item>thing ").append(order).append("</item><item>other</item></order>");
        }
        return text.append("</orders>").toString().getBytes(StandardCharsets.UTF_8);
    }
}
