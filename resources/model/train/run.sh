#!/bin/sh
# Everything from nothing to resources/model/builtin: sh train/run.sh [minutes] [extra arguments of train.train]
# Needs Python >= 3.10 with train/requirements.txt; writes only to $KAIKOU_TRAIN and builtin/.
set -eu
cd "$(dirname "$0")/.."
MINUTES=${1:-200}
[ $# -gt 0 ] && shift
OUT=${KAIKOU_TRAIN:-$HOME/.cache/kaikou/train}
PY=${PYTHON:-python3}
mkdir -p "$OUT"
[ -f "$OUT/data.jsonl" ] || $PY -m train.data.generate "$OUT/data.jsonl" --turns 900000
[ -f "$OUT/tokenizer.json" ] || $PY -m train.tokenizer "$OUT/data.jsonl" "$OUT/tokenizer.json" --vocab 2800
nice -n 5 $PY -m train.train --data "$OUT/data.jsonl" --tokenizer "$OUT/tokenizer.json" --out "$OUT" --minutes "$MINUTES" "$@"
$PY -m train.export "$OUT/last.pt" "$OUT/tokenizer.json" builtin --force
$PY -m train.evaluate builtin
