import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

const { escapeHtml } = await load('html.mjs');
assert.equal(escapeHtml('a < b && c > d'), 'a &lt; b &amp;&amp; c &gt; d');
assert.match(escapeHtml(`"'`), /^&quot;&#(0?39|x27);$/);
assert.equal(escapeHtml('plain'), 'plain');
