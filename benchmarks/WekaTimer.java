import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import weka.classifiers.Classifier;
import weka.core.AdditionalMeasureProducer;
import weka.core.Instances;
import weka.core.OptionHandler;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Times one of Weka's trees in one process and prints the result as a line of JSON.
 *
 * Arguments: an ARFF file whose last attribute is the class, the least seconds of warm-up, the
 * number of timed builds, the most seconds of either, a file of fold numbers, "-" or "predict", the
 * classifier's full name, then its own options. Warm-up and timing end after the build that uses
 * up their most seconds, so that a slow classifier is built twice at least. Times are milliseconds
 * of buildClassifier alone; with "predict", of the class distributions of the same cases too; with
 * fold numbers, a line for each case, they are those of a whole cross-validation: a build on the
 * cases outside each fold, and the class distributions of the cases inside. The sets are cut before
 * the clock runs.
 */
public class WekaTimer {
  private static final int LEAST_WARM_UP_BUILDS = 20;
  private static double total = 0;

  public static void main(String[] args) throws Exception {
    Instances data = DataSource.read(args[0]);
    data.setClassIndex(data.numAttributes() - 1);
    double warmUp = Double.parseDouble(args[1]) * 1e9;
    double[] times = new double[Integer.parseInt(args[2])];
    double most = Double.parseDouble(args[3]) * 1e9;
    Instances[] outside = {data};
    Instances[] inside = {new Instances(data, 0)};
    if (args[4].equals("predict")) {
      inside[0] = data;
    } else if (!args[4].equals("-")) {
      int[] fold = Files.lines(Paths.get(args[4])).mapToInt(Integer::parseInt).toArray();
      int folds = Arrays.stream(fold).max().getAsInt() + 1;
      outside = new Instances[folds];
      inside = new Instances[folds];
      for (int f = 0; f < folds; f++) {
        outside[f] = new Instances(data, 0);
        inside[f] = new Instances(data, 0);
        for (int i = 0; i < fold.length; i++) {
          (fold[i] == f ? inside[f] : outside[f]).add(data.instance(i));
        }
      }
    }
    String name = args[5];
    String[] options = Arrays.copyOfRange(args, 6, args.length);
    long start = System.nanoTime();
    int builds = 0;
    double passed = 0;
    while (passed < most && (builds < LEAST_WARM_UP_BUILDS || passed < warmUp)) {
      buildAndPredict(name, options, outside, inside);
      builds += outside.length;
      passed = System.nanoTime() - start;
    }
    AdditionalMeasureProducer tree = null;
    int timed = 0;
    start = System.nanoTime();
    while (timed < times.length && (timed == 0 || System.nanoTime() - start < most)) {
      long begin = System.nanoTime();
      tree = (AdditionalMeasureProducer) buildAndPredict(name, options, outside, inside);
      times[timed++] = (System.nanoTime() - begin) / 1e6;
    }
    times = Arrays.copyOf(times, timed);
    Arrays.sort(times);
    System.out.println(
        "{\"file\": " + quote(args[0])
            + ", \"n\": " + data.numInstances()
            + ", \"attributes\": " + (data.numAttributes() - 1)
            + ", \"classes\": " + data.numClasses()
            + ", \"weka\": " + quote(Version.VERSION)
            + ", \"classifier\": " + quote(name)
            + ", \"options\": " + quote(String.join(" ", options))
            + ", \"warm_up_builds\": " + builds
            + ", \"timed_builds\": " + timed
            + ", \"total\": " + total
            + ", \"nodes\": " + (long) tree.getMeasure("measureTreeSize")
            + ", \"leaves\": " + (long) tree.getMeasure("measureNumLeaves")
            + ", \"best_ms\": " + times[0]
            + ", \"median_ms\": " + median(times)
            + "}");
  }

  /** The last tree; what the predictions add up to is kept, so that none is optimised away. */
  private static Classifier buildAndPredict(
      String name, String[] options, Instances[] outside, Instances[] inside) throws Exception {
    Classifier tree = null;
    for (int f = 0; f < outside.length; f++) {
      tree = unbuilt(name, options);
      tree.buildClassifier(outside[f]);
      for (int i = 0; i < inside[f].numInstances(); i++) {
        total += tree.distributionForInstance(inside[f].instance(i))[0];
      }
    }
    return tree;
  }

  private static Classifier unbuilt(String name, String[] options) throws Exception {
    Classifier tree = (Classifier) Class.forName(name).getDeclaredConstructor().newInstance();
    ((OptionHandler) tree).setOptions(options.clone()); // Weka blanks the options that it has read
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
