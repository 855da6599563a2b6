import java.io.PrintStream;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.AODE;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.trees.J48;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;
import weka.filters.Filter;
import weka.filters.unsupervised.attribute.Discretize;
import weka.filters.unsupervised.attribute.ReplaceMissingValues;

/**
 * Prints the class probabilities that Weka's NaiveBayes, AODE and J48 give every case of a data set.
 *
 * Arguments: one or more ARFF files, which are laid end to end; the last attribute is the class.
 * The output is lines: a section's name after "# ", then a row of numbers for each case, in the
 * order of the files. "coded" sections follow ReplaceMissingValues and Discretize (ten bins) over
 * the whole set, "raw" ones ReplaceMissingValues alone. "all" was trained on all cases, "cv" is the
 * cross-validation of Weka's Evaluation with ten folds and seed 1. Trees trained on all cases name
 * their leaves and nodes.
 */
public class ProbabilityRecorder {
  private static final int FOLDS = 10;
  private static final String[] LEARNERS = {"NaiveBayes", "AODE", "J48 -U -A", "J48"};
  private static PrintStream out;

  public static void main(String[] args) throws Exception {
    out = new PrintStream(System.out, true, "UTF-8");
    Instances full = filter(load(args), new ReplaceMissingValues());
    Instances coded = filter(full, new Discretize());
    out.println("# weka\n" + Version.VERSION);
    out.println("# classes");
    for (int c = 0; c < full.numClasses(); c++) {
      out.println(full.classAttribute().value(c));
    }
    folds(coded);
    for (String learner : LEARNERS) {
      trainedOnAll(coded, "coded", learner);
      crossValidated(coded, learner);
      if (learner.startsWith("J48")) {
        trainedOnAll(full, "raw", learner);
      }
    }
  }

  private static Instances load(String[] files) throws Exception {
    Instances all = DataSource.read(files[0]);
    for (int f = 1; f < files.length; f++) {
      Instances part = DataSource.read(files[f]);
      if (!all.equalHeaders(part)) {
        throw new IllegalArgumentException(files[f] + " declares other attributes: " + files[0]);
      }
      for (int i = 0; i < part.numInstances(); i++) {
        all.add(part.instance(i));
      }
    }
    all.setClassIndex(all.numAttributes() - 1);
    return all;
  }

  private static Instances filter(Instances data, Filter filter) throws Exception {
    if (filter instanceof Discretize) {
      ((Discretize) filter).setOptions(new String[] {"-B", "10"});
    }
    filter.setInputFormat(data);
    return Filter.useFilter(data, filter);
  }

  private static Classifier untrained(String learner) throws Exception {
    String[] options = Utils.splitOptions(learner);
    Classifier classifier = new J48();
    if (!options[0].equals("J48")) {
      classifier = learner.equals("AODE") ? new AODE() : new NaiveBayes();
    }
    options[0] = "";
    classifier.setOptions(options);
    return classifier;
  }

  /** A data set of the row numbers and the classes, which is shuffled as the data set itself. */
  private static Instances rowNumbers(Instances data) {
    FastVector attributes = new FastVector();
    attributes.addElement(new Attribute("row"));
    attributes.addElement(data.classAttribute().copy());
    Instances rows = new Instances("rows", attributes, data.numInstances());
    rows.setClassIndex(1);
    for (int i = 0; i < data.numInstances(); i++) {
      rows.add(new Instance(1, new double[] {i, data.instance(i).classValue()}));
    }
    return rows;
  }

  private static Instances shuffled(Instances data, Random random) {
    Instances copy = new Instances(data);
    copy.randomize(random);
    copy.stratify(FOLDS);
    return copy;
  }

  private static void folds(Instances data) {
    Instances rows = shuffled(rowNumbers(data), new Random(1));
    int[] fold = new int[data.numInstances()];
    for (int f = 0; f < FOLDS; f++) {
      Instances test = rows.testCV(FOLDS, f);
      for (int i = 0; i < test.numInstances(); i++) {
        fold[(int) test.instance(i).value(0)] = f;
      }
    }
    out.println("# fold");
    for (int f : fold) {
      out.println(f);
    }
  }

  private static void trainedOnAll(Instances data, String form, String learner) throws Exception {
    Classifier classifier = untrained(learner);
    classifier.buildClassifier(data);
    double[][] rows = new double[data.numInstances()][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = classifier.distributionForInstance(data.instance(i));
    }
    print(form + "/" + learner + "/all", rows);
    if (classifier instanceof J48) {
      J48 tree = (J48) classifier;
      out.println("# " + form + "/" + learner + "/size");
      out.println((int) tree.measureNumLeaves() + " " + (int) tree.measureTreeSize());
    }
  }

  /** As in Weka's Evaluation.crossValidateModel, but keeping each case's probabilities. */
  private static void crossValidated(Instances data, String learner) throws Exception {
    Random random = new Random(1);
    Instances mixed = shuffled(data, random);
    Instances numbers = shuffled(rowNumbers(data), new Random(1));
    double[][] rows = new double[data.numInstances()][];
    for (int f = 0; f < FOLDS; f++) {
      Classifier classifier = untrained(learner);
      classifier.buildClassifier(mixed.trainCV(FOLDS, f, random));
      Instances test = mixed.testCV(FOLDS, f);
      Instances places = numbers.testCV(FOLDS, f);
      for (int i = 0; i < test.numInstances(); i++) {
        double[] probabilities = classifier.distributionForInstance(test.instance(i));
        rows[(int) places.instance(i).value(0)] = probabilities;
      }
    }
    print("coded/" + learner + "/cv", rows);
  }

  private static void print(String section, double[][] rows) {
    out.println("# " + section);
    for (double[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (double p : row) {
        line.append(line.length() > 0 ? " " : "").append(p);
      }
      out.println(line);
    }
  }
}
