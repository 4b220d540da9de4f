// SPDX-License-Identifier: GPL-3.0-or-later
// What the scripts of browser use of Node.js and of a worker, and what their parts get from each other.

declare var module: { exports: unknown } | undefined; // in CommonJS
declare var Buffer: { from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> } | undefined;
declare var process: { getBuiltinModule?(name: "node:worker_threads"): NodeThreads } | undefined;

interface NodeThreads {
  Worker: typeof NodeWorker;
  parentPort: NodePort;
}

interface NodePort {
  postMessage(message: unknown): void;
  on(event: "message" | "messageerror", listen: (message: any) => void): void;
}

declare class NodeWorker implements NodePort {
  constructor(source: string, options: { eval: true });
  postMessage(message: unknown): void;
  on(event: "message" | "messageerror", listen: (message: any) => void): void;
  on(event: "error", listen: (error: Error) => void): void;
  on(event: "exit", listen: (status: number) => void): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>; // ES2026
}

// The runtime and the translated code, in the worker program.
declare const TsumeProgram: {
  start(options: { memory: number; module: WebAssembly.Module }): void | Promise<void>;
  answer(kind: string, fields: Record<string, unknown>): unknown;
  events(kind: string, fields: Record<string, unknown>, report: (event: unknown) => void): Iterable<unknown>;
  network(layout: [string, "float16" | "int8", number[]][], bytes: Uint8Array): void;
};
