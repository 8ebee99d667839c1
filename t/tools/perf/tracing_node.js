// The event of bench_tracing.c in Node: tracing_node.js cost|two|kill COUNT
// Answers are `name value` lines, asked by tracing.py.
"use strict";
const { Worker, isMainThread, workerData } = require("worker_threads");
const { trace } = require("internal/test/binding")
  .internalBinding("trace_events");

const INSTANT = "I".charCodeAt(0);
const BLOCKS = 15;
const PIECES = 100; // of the two seconds before SIGKILL

function writeInstants(count) {
  for (let i = 0; i < count; i++) trace(INSTANT, "bench", "instant", 0, { i });
}

function measureCost(count) {
  const before = process.cpuUsage();
  const took = [];
  for (let block = 0; block < BLOCKS; block++) {
    const start = process.hrtime.bigint();
    writeInstants(count / BLOCKS);
    took.push(Number(process.hrtime.bigint() - start) / (count / BLOCKS));
  }
  const used = process.cpuUsage(before);
  took.sort((a, b) => a - b);
  console.log(`ns ${took[BLOCKS >> 1].toFixed(1)}`);
  console.log(`all ${(1000 * (used.user + used.system)) / count}`);
  console.log(`events ${Math.ceil(count / BLOCKS) * BLOCKS}`);
}

async function measureTwo(count) {
  const begun = [0, 1].map(() => new Worker(__filename, { workerData: count }));
  await Promise.all(begun.map((worker) =>
    new Promise((done) => worker.once("online", done))));
  const start = process.hrtime.bigint();
  await Promise.all(begun.map((worker) => {
    worker.postMessage("go");
    return new Promise((done) => worker.once("exit", done));
  }));
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  console.log(`rate ${Math.round((2 * count) / seconds)}`);
  console.log(`events ${2 * count}`);
}

function main(how, count) {
  if (how === "cost") return measureCost(count);
  if (how === "two") return measureTwo(count);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let piece = 0; piece < PIECES; piece++) {
    Atomics.wait(sleeper, 0, 0, 2000 / PIECES);
    writeInstants(count / PIECES);
  }
  require("fs").writeSync(1, `events ${count}\n`);
  return process.kill(process.pid, "SIGKILL");
}

if (isMainThread) {
  main(process.argv[2], Number(process.argv[3]));
} else {
  require("worker_threads").parentPort.once("message", () =>
    writeInstants(workerData));
}
