package org.example;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Every shape that a compiler gives a name or a parameter of its own. */
public class Shapes<V extends Number> implements Callable<String>, Comparable<Shapes<V>> {
    enum Level {
        LOW {
            @Override
            void apply() {
                shared();
            }
        },
        HIGH(3) {
            @Override
            void apply() {
                shared();
            }
        },
        NONE;

        final int rank;

        Level() {
            this(0);
        }

        Level(int rank) {
            this.rank = rank;
        }

        void apply() {}

        void shared() {
            new Object() {
                void inside() {}
            }.inside();
        }
    }

    record Range(int from, String... labels) {
        Range {
            if (from < 0) {
                throw new IllegalArgumentException();
            }
        }

        static int count(List<String> labels) {
            return labels.size();
        }
    }

    interface Task {
        default void run() {
            Supplier<String> text = () -> Task.class.getName();
            text.get();
        }

        static Task none() {
            return new Task() {};
        }
    }

    static Object lock =
            new Object() {
                int uses = Math.abs(3);
            };
    static int[] table = make();
    final byte[] buffer = new byte[10];

    {
        System.out.println(buffer.length);
    }

    static {
        System.out.println(table.length);
    }

    static int[] make() {
        return new int[3];
    }

    Shapes() {
        this(1);
    }

    Shapes(int size) {
        super();
    }

    class Inner {
        Inner(V value, int... sizes) {}

        Inner(Object value) {}

        void visit(Inner inner) {}
    }

    static class Nested {
        Nested(Map.Entry<String, int[]> entry) {}

        Nested(Iterator<String> names) {}
    }

    static class Plain {
        int[] cells = new int[100];
    }

    @Override
    public String call() {
        return take(
                () -> 1,
                new Object() {
                    @Override
                    public String toString() {
                        return "first";
                    }
                });
    }

    @Override
    public int compareTo(Shapes<V> other) {
        return 0;
    }

    String take(Supplier<Integer> number, Object value) {
        int captured = value.hashCode();
        class Local {
            int sum;

            Local(int more) {
                this.sum = more + captured;
            }

            Local(String more) {
                this.sum = captured;
            }

            void run() {
                Function<Integer, Supplier<Integer>> outer = x -> () -> x + sum;
                outer.apply(1).get();
            }
        }
        class Other {}
        new Other();
        new Local(3).run();
        IntFunction<int[]> arrays = int[]::new;
        Function<String, Integer> length = text -> text.length();
        pass(
                new Object() {},
                new ArrayList<>() {
                    @Override
                    public int size() {
                        return 3;
                    }
                });
        return "";
    }

    void pass(Object value, List<?> list) {
        new Object() {
            void later() {}
        }.later();
    }

    void pass(Object value) {
        class Local {
            void second() {}
        }
        new Local().second();
    }

    <A extends Comparable<A>, B extends A> void bounds(A one, B[] two, V three, Shapes<V>.Inner four) {
        switch (Level.NONE) {
            case LOW:
                break;
            default:
        }
    }

    void bounds(Object one, Object[] two, Object three, Object four) {}

    void same(java.util.List<String> list) {}

    void same(java.awt.List list) {}
}
