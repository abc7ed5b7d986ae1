"""The words that go with a bundle, in English: what leaves a site is read everywhere."""

from __future__ import annotations

README = """# {title}

Data of a study made with Rostrum. People are random pseudonyms, drawn for this study alone.

- Question: {question}
- Ethics: {ethics}
- Contact: {contact}
- Consent as it stood on: {cut_off}

## What is in it

- `datapackage.json`: every table with columns, types, units (UCUM) and keys (Data Package v2);
  `COLUMNS.md`: the same to read, table by table
- `export_manifest.json`: under which conditions it was made; `privacy.json`: how small groups are
- `SHA256SUMS`: check with `sha256sum -c SHA256SUMS`
{tables}
- `documents/`: what people were told, and the interview guides
- `interviews/`: texts with names taken out (UTF-8, LF, NFC), with `.vtt` where they are timed
- `qda/project.qdpx`, `qda/codebook.qdc`: REFI-QDA, for NVivo, ATLAS.ti, MAXQDA,
  QualCoder and others; `qda/codebook-taguette.csv` for Taguette
- `rehearsals/`: WebVTT of events and items where people agreed, and what else was asked for:
  `.words.csv` has `word` (as it was read), `start_ms` and `end_ms` (exclusive), and `is_filler`

Positions in texts are Unicode code points from 0, the end exclusive, of exactly the file whose
hash stands in `interviews.csv`. Times are milliseconds from the start of a take. Days count from a
person's first consent. An empty cell is missing, and nothing else is: people answer "None" and
"NA", too. Pseudonyms, labels and versions are text, also where they look like numbers. Cells may
hold line breaks. Read tables with the types that `datapackage.json` gives, as below.

## Counting

- **Measures by group**: `measured`, as made below: each measure with its take and its person.
  Where `value` is empty, `missing_reason` says why. `quality` is the measure's, `quality_of_take`
  the take's; `condition` is a person's, and stands with each of their takes, too.
- **What coaches confirmed**: of `feedback_items`, the rows of each take's newest `feedback_version`
  whose `generator` is rule, with a `decision` other than open and held: accepted and edited ones
  are kept, rejected and replaced ones are not.
- **What was coded**: codings whose `status` is not rejected; those of people alone have a coder
  whose `kind` is human. Count turns, interviews or people by them, not rows: each coder's stand
  there, and what was settled stands there once more. `agreement` was counted before anything was
  settled: its `unit` is explained in `COLUMNS.md`.

What one person did several times hangs together: intervals resample people, not rows.

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
  print(stri_sub(text, first$char_start + 1, first$char_end))   # from 1, the end inclusive
}}
```

## Spreadsheets

Import a table (UTF-8, divided at commas, every column as text) instead of opening it with a double
click: cells are as people wrote them, so one that begins with `=` would be run as a formula, and a
spreadsheet that divides at semicolons, as French ones do, would tear cells apart.

## Check it

```sh
pip install frictionless && frictionless validate FILE.zip --type package
```
"""

COLUMNS = """# What each column means

As `datapackage.json` says it for programs. Units are UCUM. An empty cell is missing, and nothing
else is; where the last column does not say "yes", no cell is empty.

{tables}
"""

TERMS_NAME = "DATA_USE_TERMS.txt"
TERMS = """Terms of use of the data of "{title}"

1. Use it for the purpose that was named when it was asked for, and pass it on to nobody else.
2. Do not try to find out who somebody is, and do not join it with other data to that end.
3. Delete it on the day that was agreed, and whoever asks for it to be deleted before: people may
   withdraw, and you will be told under which pseudonym.
4. Infer no emotion and no trait of anybody from voice, face or movement.
5. Tell us at once when it was lost, or seen by others: {contact}
"""
