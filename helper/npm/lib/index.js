// index.js - the API in Node.
import { makeApi } from './api.js';
import { loadModule } from './load.js';

export { Trace2Error } from './api.js';
export const { validate, summarize, redact, convert, report, table } =
	makeApi(loadModule);
