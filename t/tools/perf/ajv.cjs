// Validate a log with ajv and a bundled schema: `ajv.cjs BUNDLE LOG`.
// Prints the speed of parsing and checking, without starting node.
const fs = require('fs');
const Ajv = require('ajv/dist/2020');

const ajv = new Ajv({ strict: false });
const check = ajv.compile(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')));
const text = fs.readFileSync(process.argv[3], 'utf8');

let bad = 0;
const start = process.hrtime.bigint();
for (const line of text.split('\n'))
  if (line && !check(JSON.parse(line))) bad++;
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
console.log(`speed ${text.length / 1e6 / seconds}`);
console.log(`bad ${bad}`);
