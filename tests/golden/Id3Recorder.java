import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import weka.classifiers.trees.Id3;
import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;
import weka.filters.Filter;
import weka.filters.unsupervised.attribute.Discretize;
import weka.filters.unsupervised.attribute.ReplaceMissingValues;

/**
 * Prints the tree that Weka's Id3 grows on a data set, as JSON.
 *
 * Arguments: the data set's name and one or more ARFF files, which are laid end to end; the last
 * attribute is the class. Missing values are replaced and numbers cut into ten bins of equal width
 * over the whole set. Id3 keeps its tree private and counts cases in leaves only, so the fields are
 * read by reflection and the training cases are routed down the tree.
 */
public class Id3Recorder {
  private final Instances original;
  private final Instances coded;
  private final StringBuilder out = new StringBuilder();

  Id3Recorder(Instances original, Instances coded) {
    this.original = original;
    this.coded = coded;
  }

  public static void main(String[] args) throws Exception {
    Instances data = load(Arrays.copyOfRange(args, 1, args.length));
    ReplaceMissingValues impute = new ReplaceMissingValues();
    impute.setInputFormat(data);
    Instances full = Filter.useFilter(data, impute);
    Discretize bins = new Discretize();
    bins.setBins(10);
    bins.setUseEqualFrequency(false);
    bins.setInputFormat(full);
    Instances coded = Filter.useFilter(full, bins);
    Id3 tree = new Id3();
    tree.buildClassifier(coded);
    String json = new Id3Recorder(data, coded).record(args[0], bins, tree);
    new PrintStream(System.out, true, "US-ASCII").println(json);
  }

  private static Instances load(String[] files) throws Exception {
    Instances all = null;
    for (String file : files) {
      Instances part = DataSource.read(file);
      if (all == null) {
        all = part;
        all.setClassIndex(all.numAttributes() - 1);
        continue;
      }
      part.setClassIndex(part.numAttributes() - 1);
      if (!all.equalHeaders(part)) {
        throw new IllegalArgumentException(file + " declares other attributes than " + files[0]);
      }
      for (int i = 0; i < part.numInstances(); i++) {
        all.add(part.instance(i));
      }
    }
    return all;
  }

  private String record(String name, Discretize bins, Id3 tree) throws Exception {
    StringJoiner attributes = new StringJoiner(", ", "[", "]");
    StringJoiner cuts = new StringJoiner(", ", "{", "}");
    for (int a = 0; a < original.numAttributes() - 1; a++) {
      attributes.add(quote(original.attribute(a).name()));
      if (original.attribute(a).isNumeric()) {
        double[] points = bins.getCutPoints(a);
        String list = points == null ? "[]" : Arrays.toString(points);
        cuts.add(quote(original.attribute(a).name()) + ": " + list);
      }
    }
    StringJoiner classes = new StringJoiner(", ", "[", "]");
    for (int c = 0; c < coded.numClasses(); c++) {
      classes.add(quote(coded.classAttribute().value(c)));
    }
    List<Instance> cases = new ArrayList<>();
    for (int i = 0; i < coded.numInstances(); i++) {
      cases.add(coded.instance(i));
    }
    out.append("{\"name\": ").append(quote(name));
    out.append(", \"weka\": ").append(quote(Version.VERSION));
    out.append(", \"cases\": ").append(cases.size());
    out.append(", \"classes\": ").append(classes);
    out.append(", \"attributes\": ").append(attributes);
    out.append(", \"cuts\": ").append(cuts);
    out.append(", \"tree\": ");
    node(tree, cases);
    return out.append("}").toString();
  }

  private void node(Id3 node, List<Instance> cases) throws Exception {
    if (cases.isEmpty()) {
      out.append("null");
      return;
    }
    int[] counts = new int[coded.numClasses()];
    for (Instance one : cases) {
      counts[(int) one.classValue()]++;
    }
    out.append("{\"counts\": ").append(Arrays.toString(counts));
    Attribute attribute = (Attribute) read(node, "m_Attribute");
    if (attribute == null) {
      leaf(node, counts, cases.size());
    } else {
      children(node, attribute, cases);
    }
    out.append("}");
  }

  private void leaf(Id3 node, int[] counts, int size) throws Exception {
    double[] distribution = (double[]) read(node, "m_Distribution");
    for (int c = 0; c < counts.length; c++) {
      if (Math.abs(distribution[c] * size - counts[c]) > 1e-6) {
        throw new IllegalStateException("routed cases are not those that Id3 counted");
      }
    }
    int label = (int) ((Double) read(node, "m_ClassValue")).doubleValue();
    out.append(", \"class\": ").append(quote(coded.classAttribute().value(label)));
  }

  private void children(Id3 node, Attribute attribute, List<Instance> cases) throws Exception {
    Id3[] successors = (Id3[]) read(node, "m_Successors");
    boolean binned = original.attribute(attribute.index()).isNumeric();
    out.append(", \"attribute\": ").append(quote(attribute.name())).append(", \"children\": {");
    for (int v = 0; v < successors.length; v++) {
      List<Instance> branch = new ArrayList<>();
      for (Instance one : cases) {
        if ((int) one.value(attribute) == v) {
          branch.add(one);
        }
      }
      String key = binned ? Integer.toString(v) : attribute.value(v);
      out.append(v > 0 ? ", " : "").append(quote(key)).append(": ");
      node(successors[v], branch);
    }
    out.append("}");
  }

  private static Object read(Id3 node, String name) throws Exception {
    Field field = Id3.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(node);
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
