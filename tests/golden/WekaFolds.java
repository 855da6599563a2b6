import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import weka.classifiers.Classifier;
import weka.classifiers.Evaluation;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Prints which cases Weka's cross-validation trains on and tests, as JSON.
 *
 * Arguments: a data set's name and its ARFF file (the last attribute is the class), or the single
 * word `random` for draws of java.util.Random. A case's weight, its number from 1, tells which case
 * the classifier below is given by Evaluation.crossValidateModel.
 */
public class WekaFolds {
  private static final long[] SEEDS = {1, 2, 3, 4, 5, 0, -1, (1L << 40) + 7, Long.MIN_VALUE};
  private static final int[] BOUNDS = {
    1, 2, 3, 7, 8, 10, 1000, 1024, 20000, 1 << 20, 1 << 30, (1 << 30) + 1, (1 << 30) + 12345,
    1500000000, Integer.MAX_VALUE
  };
  private static final int ROUNDS = 4;

  /** Keeps the numbers of the cases it is trained on and asked about; always predicts class 0. */
  public static class Probe extends Classifier {
    private static final long serialVersionUID = 1;
    static final List<List<Integer>> TRAINED = new ArrayList<>();
    static final List<List<Integer>> TESTED = new ArrayList<>();

    @Override
    public void buildClassifier(Instances data) {
      List<Integer> rows = new ArrayList<>();
      for (int i = 0; i < data.numInstances(); i++) {
        rows.add(row(data.instance(i)));
      }
      TRAINED.add(rows);
      TESTED.add(new ArrayList<>());
    }

    @Override
    public double[] distributionForInstance(Instance one) {
      TESTED.get(TESTED.size() - 1).add(row(one));
      double[] distribution = new double[one.numClasses()];
      distribution[0] = 1;
      return distribution;
    }

    private static int row(Instance one) {
      return (int) one.weight() - 1;
    }
  }

  public static void main(String[] args) throws Exception {
    String json = args[0].equals("random") ? random() : folds(args[0], args[1]);
    new PrintStream(System.out, true, "US-ASCII").println(json);
  }

  private static String random() {
    StringJoiner rows = new StringJoiner(", ", "[", "]");
    for (long seed : SEEDS) {
      Random random = new Random(seed);
      StringJoiner draws = new StringJoiner(", ", "[", "]");
      for (int i = 0; i < ROUNDS * BOUNDS.length; i++) {
        draws.add(Integer.toString(random.nextInt(BOUNDS[i % BOUNDS.length])));
      }
      rows.add("{\"seed\": " + seed + ", \"numbers\": " + draws + "}");
    }
    String java = ", \"java\": \"" + System.getProperty("java.version") + "\"";
    String bounds = ", \"bounds\": " + Arrays.toString(BOUNDS);
    return "{\"name\": \"random\"" + java + bounds + ", \"draws\": " + rows + "}";
  }

  private static String folds(String name, String file) throws Exception {
    Instances data = DataSource.read(file);
    data.setClassIndex(data.numAttributes() - 1);
    for (int i = 0; i < data.numInstances(); i++) {
      data.instance(i).setWeight(i + 1);
    }
    StringJoiner all = new StringJoiner(", ", "{", "}");
    for (int k : new int[] {3, 10}) {
      StringJoiner runs = new StringJoiner(", ", "{", "}");
      for (int seed = 1; seed <= 5; seed++) {
        crossValidate(data, k, seed);
        runs.add("\"" + seed + "\": \"" + digits(data.numInstances()) + "\"");
      }
      all.add("\"" + k + "\": " + runs);
    }
    crossValidate(data, 3, 1);
    String head = "{\"name\": \"" + name + "\", \"weka\": \"" + Version.VERSION + "\"";
    String orders = ", \"trained\": " + Probe.TRAINED + ", \"tested\": " + Probe.TESTED;
    return head + ", \"cases\": " + data.numInstances() + ", \"folds\": " + all + orders + "}";
  }

  private static void crossValidate(Instances data, int k, int seed) throws Exception {
    Probe.TRAINED.clear();
    Probe.TESTED.clear();
    new Evaluation(data).crossValidateModel(new Probe(), data, k, new Random(seed));
    if (Probe.TESTED.size() != k) {
      throw new IllegalStateException(Probe.TESTED.size() + " folds instead of " + k);
    }
  }

  /** The fold of each case, in which it was tested, as one digit. */
  private static String digits(int cases) {
    char[] fold = new char[cases];
    Arrays.fill(fold, '?');
    for (int f = 0; f < Probe.TESTED.size(); f++) {
      for (int row : Probe.TESTED.get(f)) {
        fold[row] = (char) ('0' + f);
      }
    }
    return new String(fold);
  }
}
