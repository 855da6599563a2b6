import java.util.Arrays;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Times Weka's J48 in one process and prints the result as a line of JSON.
 *
 * Arguments: an ARFF file whose last attribute is the class, the least seconds of warm-up, the
 * number of timed builds, then J48's own options. Times are milliseconds of buildClassifier alone.
 */
public class J48Timer {
  private static final int LEAST_WARM_UP_BUILDS = 20;

  public static void main(String[] args) throws Exception {
    Instances data = DataSource.read(args[0]);
    data.setClassIndex(data.numAttributes() - 1);
    double warmUp = Double.parseDouble(args[1]) * 1e9;
    double[] times = new double[Integer.parseInt(args[2])];
    String[] options = Arrays.copyOfRange(args, 3, args.length);
    long start = System.nanoTime();
    int builds = 0;
    while (builds < LEAST_WARM_UP_BUILDS || System.nanoTime() - start < warmUp) {
      unbuilt(options).buildClassifier(data);
      builds++;
    }
    J48 tree = null;
    for (int i = 0; i < times.length; i++) {
      tree = unbuilt(options);
      long begin = System.nanoTime();
      tree.buildClassifier(data);
      times[i] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(times);
    System.out.println(
        "{\"file\": " + quote(args[0])
            + ", \"n\": " + data.numInstances()
            + ", \"attributes\": " + (data.numAttributes() - 1)
            + ", \"classes\": " + data.numClasses()
            + ", \"weka\": " + quote(Version.VERSION)
            + ", \"options\": " + quote(String.join(" ", options))
            + ", \"warm_up_builds\": " + builds
            + ", \"nodes\": " + (long) tree.measureTreeSize()
            + ", \"leaves\": " + (long) tree.measureNumLeaves()
            + ", \"best_ms\": " + times[0]
            + ", \"median_ms\": " + median(times)
            + "}");
  }

  private static J48 unbuilt(String[] options) throws Exception {
    J48 tree = new J48();
    tree.setOptions(options.clone()); // Weka blanks the options that it has read
    return tree;
  }

  private static double median(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
