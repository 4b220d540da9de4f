// Searches the shortest mates of positions by the kernels as WebAssembly; times them one by one.
import { readFileSync } from "node:fs";

const task = JSON.parse(readFileSync(0, "utf8"));
const { numpy, recordType, loadKernels, defineRecords } = new Function(
  `${task.runtime}\nreturn { numpy, recordType, loadKernels, defineRecords };`)();

const manifest = JSON.parse(readFileSync(task.manifest, "utf8"));
defineRecords(manifest.records);
const kernels = loadKernels(readFileSync(task.wasm), manifest);
const search = kernels.get("solver.engines.dfpn.kernel.deepening.raise_bound_for_each");

const { sizes } = task;
const box = {
  pos: null,
  table: numpy.zeros(sizes.table, recordType("ENTRY")),
  search: numpy.zeros(1, recordType("SEARCH")),
  frames: numpy.zeros(sizes.frames, recordType("FRAME")),
  kids: numpy.zeros(sizes.kids, recordType("CHILD")),
  barred: numpy.zeros(64, recordType("BARRED")),
  candidates: numpy.zeros(sizes.candidates, recordType("CANDIDATE")),
  handed: numpy.zeros(sizes.candidates, numpy.int64),
  buf: numpy.zeros(sizes.buf, numpy.int64),
  shared: numpy.zeros(1, numpy.int64),
};
const state = box.search.__getitem__(0);
Object.assign(state, task.state);

const bytes = Buffer.from(task.positions, "base64");
const size = recordType("POSITION").itemsize;
const positions = Array.from({ length: bytes.length / size }, (_, number) => {
  const array = numpy.zeros(1, recordType("POSITION"));
  array.memory.bytes.set(bytes.subarray(number * size, (number + 1) * size));
  return array;
});
const length = numpy.zeros(1, numpy.int64);

const rounds = Array.from({ length: task.repeat }, () => positions.map((position) => {
  const before = state.nodes;
  const began = performance.now();
  search(position, box, task.last, task.nodes, length);
  const seconds = (performance.now() - began) / 1000;
  return [length.__getitem__(0), state.nodes - before, seconds];
}));
console.log(JSON.stringify({ rounds, bytes: kernels.bytes }));
