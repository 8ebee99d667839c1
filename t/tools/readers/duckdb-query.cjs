// DuckDB, asked by SQL:
//
//	node duckdb-query.cjs FOLDER
//
// FOLDER is what `make duckdb` unpacked. Each line of standard input is
// {"sql": [STATEMENT...]}, each line of standard output {} or
// {"error": TEXT}. Each line has a database of its own.
'use strict';
const path = require('path');
const readline = require('readline');

const duckdb = require(path.resolve(process.argv[2], 'duckdb.node'));

async function run(statements) {
	const database = await duckdb.open(':memory:');
	const connection = await duckdb.connect(database);
	for (const statement of statements)
		await duckdb.query(connection, statement);
	duckdb.disconnect_sync(connection);
	duckdb.close_sync(database);
}

async function main() {
	const lines = readline.createInterface({input: process.stdin});
	for await (const line of lines) {
		let answer = {};
		try {
			await run(JSON.parse(line).sql);
		} catch (error) {
			answer = {error: String(error)};
		}
		console.log(JSON.stringify(answer));
	}
}

main();
