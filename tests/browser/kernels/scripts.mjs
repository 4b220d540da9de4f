// SPDX-License-Identifier: GPL-3.0-or-later
// The scripts under test, as they are read in a browser: one after the other in one scope.
import { readFileSync } from "node:fs";

const NAMES = [
  "numpy", "Slice", "NdArray", "NdRecord", "ArrayMemory", "KernelMemory", "COPIED_BYTES", "newArray", "newToken",
  "defineRecords", "recordType", "loadKernels",
];

export function load(path) {
  return new Function(`${readFileSync(path, "utf8")}\nreturn { ${NAMES.join(", ")} };`)();
}
