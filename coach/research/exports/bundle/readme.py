"""Texts of the bundle's README and terms, in English: exports are read everywhere."""

from __future__ import annotations

README = """# {title}

Data of a study made with Rostrum. Participants have random pseudonyms, which are used in this study
only.

- Question: {question}
- Ethics: {ethics}
- Contact: {contact}
- Consent as of: {cut_off}
- Exported with Rostrum {version}

## Contents

- `datapackage.json`: columns, types, units (UCUM) and keys of every table, for programs
  (Data Package v2); `COLUMNS.md`: the same for readers
- `export_manifest.json`: settings of this export; `privacy.json`: group sizes
- `SHA256SUMS`: checksums, to check with `sha256sum -c SHA256SUMS`
{tables}
- `documents/`: information sheets and interview guides
- `interviews/`: redacted transcripts (UTF-8, LF, NFC), with `.vtt` if they have times
- `qda/project.qdpx`, `qda/codebook.qdc`: REFI-QDA, for NVivo, ATLAS.ti, MAXQDA,
  QualCoder and others; `qda/codebook-taguette.csv` for Taguette
- `rehearsals/`: WebVTT files of events and items of takes, if people consented, and any optional
  files of the export: `.words.csv` has `word` (as recognised), `start_ms` and `end_ms` (exclusive),
  and `is_filler`

Positions in texts are Unicode code points, counted from 0, with an exclusive end. They are valid
only for the file whose hash is in `interviews.csv`. Times are milliseconds from the start of a
take. Days are counted from a person's first consent. Only an empty cell is a missing value: "None"
and "NA" can be answers. Pseudonyms, labels and versions are text, even if they look like numbers.
Cells can contain line breaks. Read the tables with the types given in `datapackage.json`, as shown
below.

## How to count

- **Measures by group**: use `measured`, built below: each measure with its take and participant.
  If `value` is empty, `missing_reason` gives the reason. `quality` describes the measure and
  `quality_of_take` the take. `condition` belongs to the participant and is repeated for each take.
- **Cards that coaches confirmed**: in `feedback_items`, take the rows of each take's newest
  `feedback_version` with `generator` rule and a `decision` other than open or held. Accepted and
  edited items were kept; rejected and replaced ones were not.
- **Codings**: use codings whose `status` is not rejected. Codings by people have a coder whose
  `kind` is human. Count turns, interviews or people, not rows: the table has one row for each
  coder's coding, and another one for each resolved disagreement. `agreement` was calculated before
  disagreements were resolved; `COLUMNS.md` explains its `unit`.

Repeated data from one person are not independent: for intervals, resample people, not rows.

## Python

```python
import json
import pandas as pd
KINDS = {{"string": "string", "integer": "Int64", "number": "float64", "boolean": "boolean"}}
package = json.load(open("datapackage.json", encoding="utf-8"))
tables = {{
    each["name"]: pd.read_csv(
        each["path"],
        dtype={{field["name"]: KINDS[field["type"]] for field in each["schema"]["fields"]}},
        keep_default_na=False,
        na_values=[""],
    )
    for each in package["resources"]
}}
takes = tables["rehearsals"].merge(
    tables["participants"].drop(columns="condition"), on="participant_id"
)
measured = tables["measurements"].merge(takes, on="rehearsal_id", suffixes=("", "_of_take"))
codings = tables["codings"].merge(tables["interviews"], on="interview_id")
for first in codings.head(1).itertuples():
    text = open(first.transcript_path, encoding="utf-8", newline="").read()
    print(text[first.char_start:first.char_end])   # Python counts code points
```

## R (4.1 or later)

```r
library(jsonlite); library(readr); library(stringi)
kinds <- c(string = "c", integer = "i", number = "d", boolean = "l")
package <- fromJSON("datapackage.json", simplifyVector = FALSE)
table_of <- function(each) {{
  types <- vapply(each$schema$fields, function(field) kinds[[field$type]], "")
  read_csv(each$path, col_types = paste(types, collapse = ""), na = "", trim_ws = FALSE)
}}
tables <- lapply(package$resources, table_of)
names(tables) <- vapply(package$resources, function(each) each$name, "")
people <- tables$participants[setdiff(names(tables$participants), "condition")]
takes <- merge(tables$rehearsals, people, by = "participant_id")
measured <- merge(tables$measurements, takes, by = "rehearsal_id", suffixes = c("", "_of_take"))
first <- merge(head(tables$codings, 1), tables$interviews, by = "interview_id")
if (nrow(first) > 0) {{
  text <- stri_read_raw(first$transcript_path) |> stri_encode("UTF-8", "UTF-8")
  print(stri_sub(text, first$char_start + 1, first$char_end))   # counts from 1, end inclusive
}}
```

## Spreadsheets

Import each table (UTF-8, comma-separated, every column as text); do not open it with a double
click. Cells are as people wrote them, so a cell that starts with `=` would run as a formula.
Spreadsheets that expect semicolons, such as French ones, would split cells in the wrong places.

## Check the bundle

```sh
pip install frictionless && frictionless validate FILE.zip --type package
```
"""

COLUMNS = """# What each column means

The same information as in `datapackage.json`. Units are UCUM. Only an empty cell is a missing
value; if the last column does not say "yes", no cell is empty.

{tables}
"""

TERMS_NAME = "DATA_USE_TERMS.txt"
TERMS = """Terms of use of the data of "{title}"

1. Use the data only for the purpose stated in the request, and do not pass it on.
2. Do not try to identify anyone, and do not link the data with other data for that purpose.
3. Delete the data on the agreed date. Participants can withdraw before then: we will tell you their
   pseudonym, and you must delete their data.
4. Do not infer emotions or traits of people from voice, face or movement.
5. Tell us immediately if the data is lost or accessed by others: {contact}
"""
