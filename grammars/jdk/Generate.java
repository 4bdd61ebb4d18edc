import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prints the signatures of the running JDK, one JSON value per line: first the version of the JDK,
 * then each type, ordered by name. {@code generate.py} launches this file and packs what it prints.
 *
 * <p>It reads class files from {@code jrt:/} and loads no class: only a class file tells a
 * compile-time constant from a static final field that is computed, and reading one runs no
 * initialiser. Types are written in Java source form.
 *
 * <p>Printed are the public and protected types of the packages that the chosen modules export,
 * with their public and protected members. A supertype that is not accessible itself
 * ({@code java.lang.AbstractStringBuilder}) is printed too, marked as hidden, since its members are
 * inherited by types that are.
 */
public final class Generate {
    private static final int PUBLIC = 0x1;
    private static final int PROTECTED = 0x4;
    private static final int STATIC = 0x8;
    private static final int FINAL = 0x10;
    private static final int VARARGS = 0x80;
    private static final int INTERFACE = 0x200;
    private static final int ABSTRACT = 0x400;
    private static final int SYNTHETIC = 0x1000;
    private static final int ANNOTATION = 0x2000;
    private static final int ENUM = 0x4000;

    /** Modules taken besides all {@code java.*}: JDK-specific ones that server programs use. */
    private static final Set<String> EXTRA_MODULES =
            Set.of("jdk.httpserver", "jdk.management", "jdk.unsupported");

    /** Class files by internal name, of every package of the chosen modules. */
    private static final Map<String, ClassFile> CLASSES = new TreeMap<>();

    /** Member types: internal name to its row of an InnerClasses attribute. */
    private static final Map<String, Inner> INNER = new HashMap<>();

    private record Inner(String outer, String simple, int flags) {}

    private record Member(int flags, String name, String descriptor, String signature,
                          Object constant) {}

    private record Parsed(List<String> formals, List<String> bounds, List<String> types) {}

    private Generate() {}

    public static void main(String[] arguments) throws IOException {
        Set<String> exported = readModules();
        Set<String> visible = new TreeSet<>();
        for (String name : CLASSES.keySet()) {
            if (exported.contains(packageOf(name)) && isAccessible(name)) {
                visible.add(name);
            }
        }
        Set<String> printed = new TreeSet<>(visible);
        for (String name : visible) {
            addSupertypes(name, printed);
        }
        Map<String, List<String>> nested = new HashMap<>();
        for (String name : printed) {
            Inner inner = INNER.get(name);
            if (inner != null && visible.contains(name)) {
                nested.computeIfAbsent(inner.outer, key -> new ArrayList<>()).add(inner.simple);
            }
        }
        try (Writer out = new BufferedWriter(
                new OutputStreamWriter(System.out, StandardCharsets.UTF_8))) {
            out.write(json(System.getProperty("java.version")) + "\n");
            for (String name : printed) {
                List<String> members = nested.getOrDefault(name, List.of());
                out.write(CLASSES.get(name).toJson(!visible.contains(name), members) + "\n");
            }
        }
    }

    /** Fills CLASSES and INNER; returns the exported packages. */
    private static Set<String> readModules() throws IOException {
        Set<String> exported = new TreeSet<>();
        FileSystem runtime = FileSystems.getFileSystem(URI.create("jrt:/"));
        for (var reference : ModuleFinder.ofSystem().findAll()) {
            ModuleDescriptor module = reference.descriptor();
            if (!module.name().startsWith("java.") && !EXTRA_MODULES.contains(module.name())) {
                continue;
            }
            for (ModuleDescriptor.Exports exports : module.exports()) {
                if (!exports.isQualified()) {
                    exported.add(exports.source());
                }
            }
            try (Stream<Path> files = Files.walk(runtime.getPath("/modules", module.name()))) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".class") && !name.equals("module-info.class")) {
                        ClassFile parsed = new ClassFile(Files.readAllBytes(file));
                        CLASSES.put(parsed.name, parsed);
                    }
                }
            }
        }
        return exported;
    }

    private static boolean isAccessible(String name) {
        ClassFile type = CLASSES.get(name);
        if (type == null || (type.flags & SYNTHETIC) != 0 || type.isLocal) {
            return false;
        }
        Inner inner = INNER.get(name);
        if (inner == null) {
            return (type.flags & PUBLIC) != 0;
        }
        return (inner.flags & (PUBLIC | PROTECTED)) != 0 && isAccessible(inner.outer);
    }

    private static void addSupertypes(String name, Set<String> into) {
        ClassFile type = CLASSES.get(name);
        List<String> supertypes = new ArrayList<>(type.interfaces);
        if (type.superclass != null) {
            supertypes.add(type.superclass);
        }
        for (String supertype : supertypes) {
            if (CLASSES.containsKey(supertype) && into.add(supertype)) {
                addSupertypes(supertype, into);
            }
        }
    }

    private static String packageOf(String internal) {
        int slash = internal.lastIndexOf('/');
        return slash < 0 ? "" : internal.substring(0, slash).replace('/', '.');
    }

    /** The name inside its package, nested types with '.': Map.Entry. */
    private static String localName(String internal) {
        Inner inner = INNER.get(internal);
        return inner == null
                ? internal.substring(internal.lastIndexOf('/') + 1)
                : localName(inner.outer) + "." + inner.simple;
    }

    private static String sourceName(String internal) {
        String owner = packageOf(internal);
        return owner.isEmpty() ? localName(internal) : owner + "." + localName(internal);
    }

    /** One class file, as far as declarations go (JVMS chapter 4). */
    private static final class ClassFile {
        final String name;
        final String superclass;
        final List<String> interfaces = new ArrayList<>();
        final int flags;
        boolean isLocal;
        private boolean isRecord;
        private String signature;
        private final List<Member> fields;
        private final List<Member> methods;
        private final Object[] pool;

        ClassFile(byte[] bytes) throws IOException {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            in.skipNBytes(8);
            pool = readPool(in);
            flags = in.readUnsignedShort();
            name = className(in.readUnsignedShort());
            superclass = className(in.readUnsignedShort());
            for (int count = in.readUnsignedShort(); count > 0; count--) {
                interfaces.add(className(in.readUnsignedShort()));
            }
            fields = readMembers(in);
            methods = readMembers(in);
            readAttributes(in);
        }

        private static Object[] readPool(DataInputStream in) throws IOException {
            Object[] pool = new Object[in.readUnsignedShort()];
            for (int i = 1; i < pool.length; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> pool[i] = in.readUTF();
                    case 3 -> pool[i] = in.readInt();
                    case 4 -> pool[i] = (double) in.readFloat();
                    // A long or a double takes two entries.
                    case 5 -> pool[i++] = in.readLong();
                    case 6 -> pool[i++] = in.readDouble();
                    case 7, 8, 16, 19, 20 -> pool[i] = new int[] {in.readUnsignedShort()};
                    case 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                    case 15 -> in.skipNBytes(3);
                    default -> throw new IOException("unknown constant pool tag " + tag);
                }
            }
            return pool;
        }

        private String utf8(int index) {
            return (String) pool[index];
        }

        private String className(int index) {
            return index == 0 ? null : utf8(((int[]) pool[index])[0]);
        }

        private List<Member> readMembers(DataInputStream in) throws IOException {
            List<Member> members = new ArrayList<>();
            for (int count = in.readUnsignedShort(); count > 0; count--) {
                int access = in.readUnsignedShort();
                String memberName = utf8(in.readUnsignedShort());
                String descriptor = utf8(in.readUnsignedShort());
                String generic = null;
                Object constant = null;
                for (int left = in.readUnsignedShort(); left > 0; left--) {
                    String attribute = utf8(in.readUnsignedShort());
                    int length = in.readInt();
                    if (attribute.equals("Signature")) {
                        generic = utf8(in.readUnsignedShort());
                    } else if (attribute.equals("ConstantValue")) {
                        Object entry = pool[in.readUnsignedShort()];
                        constant = entry instanceof int[] string ? utf8(string[0]) : entry;
                    } else {
                        in.skipNBytes(length);
                    }
                }
                boolean accessible = (access & (PUBLIC | PROTECTED)) != 0;
                if (accessible && (access & SYNTHETIC) == 0 && !memberName.equals("<clinit>")) {
                    members.add(new Member(access, memberName, descriptor, generic, constant));
                }
            }
            return members;
        }

        private void readAttributes(DataInputStream in) throws IOException {
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                String attribute = utf8(in.readUnsignedShort());
                int length = in.readInt();
                switch (attribute) {
                    case "Signature" -> signature = utf8(in.readUnsignedShort());
                    case "InnerClasses" -> readInnerClasses(in);
                    case "EnclosingMethod" -> {
                        isLocal = true;
                        in.skipNBytes(length);
                    }
                    case "Record" -> {
                        isRecord = true;
                        in.skipNBytes(length);
                    }
                    default -> in.skipNBytes(length);
                }
            }
        }

        private void readInnerClasses(DataInputStream in) throws IOException {
            for (int rows = in.readUnsignedShort(); rows > 0; rows--) {
                String inner = className(in.readUnsignedShort());
                String outer = className(in.readUnsignedShort());
                int simple = in.readUnsignedShort();
                int access = in.readUnsignedShort();
                if (outer != null && simple != 0) {
                    INNER.put(inner, new Inner(outer, utf8(simple), access));
                }
            }
        }

        private String kind() {
            if ((flags & ANNOTATION) != 0) {
                return "annotation";
            }
            if ((flags & INTERFACE) != 0) {
                return "interface";
            }
            return (flags & ENUM) != 0 ? "enum" : isRecord ? "record" : "class";
        }

        /** A row in the order of the fields of {@code conflens.models.jdk.JdkType}. */
        String toJson(boolean hidden, List<String> nested) {
            Parsed parsed = signature != null
                    ? new SignatureReader(signature).readClass()
                    : new Parsed(List.of(), List.of(), plainSupertypes());
            List<String> supertypes = parsed.types;
            if ((flags & INTERFACE) != 0) {
                // A class file names Object as the superclass of every interface.
                supertypes = supertypes.subList(1, supertypes.size());
            }
            List<String> fieldRows = new ArrayList<>();
            for (Member field : fields) {
                fieldRows.add(json(field.name) + ":" + fieldRow(field));
            }
            Map<String, List<String>> byName = new TreeMap<>();
            for (Member method : methods) {
                byName.computeIfAbsent(method.name, key -> new ArrayList<>())
                        .add(methodRow(method));
            }
            List<String> methodRows = new ArrayList<>();
            byName.forEach((key, rows) -> methodRows.add(json(key) + ":" + list(rows)));
            return list(List.of(
                    json(kind()),
                    json(sourceName(name)),
                    json(packageOf(name)),
                    formals(parsed),
                    strings(supertypes),
                    "{" + String.join(",", fieldRows) + "}",
                    "{" + String.join(",", methodRows) + "}",
                    strings(nested),
                    String.valueOf(hidden)));
        }

        private List<String> plainSupertypes() {
            List<String> types = new ArrayList<>();
            if (superclass != null) {
                types.add(sourceName(superclass));
            }
            interfaces.forEach(type -> types.add(sourceName(type)));
            return types;
        }

        /** Name, type, static, enum constant, value: as {@code JdkField}. */
        private String fieldRow(Member field) {
            String type = new SignatureReader(
                    field.signature != null ? field.signature : field.descriptor).readType();
            boolean isFinal = (field.flags & FINAL) != 0;
            return list(List.of(
                    json(field.name),
                    json(type),
                    String.valueOf((field.flags & STATIC) != 0),
                    String.valueOf((field.flags & ENUM) != 0),
                    isFinal ? constant(type, field.constant) : "null"));
        }

        /** Name, parameters, result, static, varargs, abstract, default, formals: JdkMethod. */
        private String methodRow(Member method) {
            boolean generic = method.signature != null;
            Parsed parsed = new SignatureReader(generic ? method.signature : method.descriptor)
                    .readMethod();
            int last = parsed.types.size() - 1;
            // The descriptor of an inner class's constructor starts with the enclosing object.
            int first = !generic && method.name.equals("<init>") && isInner() ? 1 : 0;
            boolean isStatic = (method.flags & STATIC) != 0;
            boolean isAbstract = (method.flags & ABSTRACT) != 0;
            boolean isDefault = (flags & INTERFACE) != 0 && !isStatic && !isAbstract;
            return list(List.of(
                    json(method.name),
                    strings(parsed.types.subList(first, last)),
                    json(parsed.types.get(last)),
                    String.valueOf(isStatic),
                    String.valueOf((method.flags & VARARGS) != 0),
                    String.valueOf(isAbstract),
                    String.valueOf(isDefault),
                    formals(parsed)));
        }

        private boolean isInner() {
            Inner inner = INNER.get(name);
            return inner != null && (inner.flags & STATIC) == 0;
        }
    }

    /** Descriptors and generic signatures (JVMS 4.3 and 4.7.9.1) to Java source form. */
    private static final class SignatureReader {
        private final String text;
        private int at;

        SignatureReader(String text) {
            this.text = text;
        }

        Parsed readClass() {
            List<String> formals = new ArrayList<>();
            List<String> bounds = new ArrayList<>();
            readFormals(formals, bounds);
            List<String> types = new ArrayList<>();
            while (at < text.length()) {
                types.add(readType());
            }
            return new Parsed(formals, bounds, types);
        }

        /** The parameters, then the result. Thrown types are left out. */
        Parsed readMethod() {
            List<String> formals = new ArrayList<>();
            List<String> bounds = new ArrayList<>();
            readFormals(formals, bounds);
            List<String> types = new ArrayList<>();
            at++;
            while (text.charAt(at) != ')') {
                types.add(readType());
            }
            at++;
            types.add(readType());
            return new Parsed(formals, bounds, types);
        }

        private void readFormals(List<String> formals, List<String> bounds) {
            if (text.charAt(at) != '<') {
                return;
            }
            at++;
            while (text.charAt(at) != '>') {
                int colon = text.indexOf(':', at);
                formals.add(text.substring(at, colon));
                at = colon;
                String bound = null;
                while (text.charAt(at) == ':') {
                    at++;
                    // The class bound is empty when the first bound is an interface.
                    if (text.charAt(at) != ':') {
                        String read = readType();
                        bound = bound == null ? read : bound;
                    }
                }
                bounds.add(bound);
            }
            at++;
        }

        String readType() {
            char tag = text.charAt(at++);
            return switch (tag) {
                case 'B' -> "byte";
                case 'C' -> "char";
                case 'D' -> "double";
                case 'F' -> "float";
                case 'I' -> "int";
                case 'J' -> "long";
                case 'S' -> "short";
                case 'V' -> "void";
                case 'Z' -> "boolean";
                case '[' -> readType() + "[]";
                case 'T' -> readVariable();
                case 'L' -> readClassType();
                default -> throw new IllegalArgumentException(text);
            };
        }

        private String readVariable() {
            int end = text.indexOf(';', at);
            String name = text.substring(at, end);
            at = end + 1;
            return name;
        }

        private String readClassType() {
            int start = at;
            while (";<.".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            StringBuilder type = new StringBuilder(sourceName(text.substring(start, at)));
            while (true) {
                char next = text.charAt(at++);
                if (next == ';') {
                    return type.toString();
                }
                if (next == '<') {
                    readArguments(type);
                } else {
                    start = at;
                    while (";<.".indexOf(text.charAt(at)) < 0) {
                        at++;
                    }
                    type.append('.').append(text, start, at);
                }
            }
        }

        private void readArguments(StringBuilder into) {
            String separator = "<";
            while (text.charAt(at) != '>') {
                into.append(separator);
                separator = ",";
                switch (text.charAt(at)) {
                    case '*' -> {
                        at++;
                        into.append('?');
                    }
                    case '+' -> {
                        at++;
                        into.append("? extends ").append(readType());
                    }
                    case '-' -> {
                        at++;
                        into.append("? super ").append(readType());
                    }
                    default -> into.append(readType());
                }
            }
            at++;
            into.append('>');
        }
    }

    private static String constant(String type, Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof String string) {
            return json(string);
        }
        if (type.equals("boolean")) {
            return String.valueOf(!value.equals(0));
        }
        // Infinity and NaN are printed as words, which Python's json module reads.
        return value.toString();
    }

    private static String formals(Parsed parsed) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < parsed.formals.size(); i++) {
            rows.add(strings(List.of(parsed.formals.get(i), parsed.bounds.get(i))));
        }
        return list(rows);
    }

    private static String strings(List<String> values) {
        return list(values.stream().map(Generate::json).toList());
    }

    private static String list(List<String> values) {
        return "[" + String.join(",", values) + "]";
    }

    private static String json(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20 || c > 0x7e) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
