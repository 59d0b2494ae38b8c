// speedscope_import.mjs PACKAGE FILE...: reads profiles with speedscope's own importer, from its npm package, without a
// browser; writes what it understood as JSON: for each file its profiles, each with its name, unit, total and the self and
// total weight of each function.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const [folder, ...files] = process.argv.slice(2);
const release = path.join(folder, "dist", "release");
const bundle = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name));
let source = fs.readFileSync(path.join(release, bundle), "utf8");

// The application begins behind all modules: there it stops, and hands out the one that imports.
const exported = /(\w+)=\{\};\$?\w+\(\1,\{[^{}]*importProfilesFromArrayBuffer:/.exec(source);
const loaded = exported && new RegExp(`\\((\\w+)\\(\\),${exported[1]}\\)`).exec(source);
const start = "console.log(`speedscope v";
if (!loaded || !source.includes(start))
	throw new Error("this version of speedscope is built in another way");
source = source.replace(start, `globalThis.importer=(${loaded[1]}(),${exported[1]});return;${start}`);

const nothing = () => {};
const element = { style: {}, appendChild: nothing, setAttribute: nothing, getContext: () => null, sheet: { cssRules: [], insertRule: nothing } };
const media = { matches: false, addListener: nothing, addEventListener: nothing };
const page = { body: element, head: element, createElement: () => element, createTextNode: () => element,
	querySelector: () => null, querySelectorAll: () => [], getElementById: () => null, addEventListener: nothing };
const quiet = { ...console, log: nothing, warn: nothing };
const context = { ...globalThis, console: quiet, document: page, location: { hash: "", protocol: "file:", pathname: "" },
	navigator: { userAgent: "" }, matchMedia: () => media, addEventListener: nothing, localStorage: {}, TextDecoder,
	TextEncoder, setTimeout, Uint8Array, ArrayBuffer, Blob, URL, atob, requestAnimationFrame: nothing };
context.window = context.self = context.globalThis = context;
vm.runInNewContext(source, context);

function describe(profile) {
	const functions = [];
	profile.forEachFrame((frame) => functions.push({ name: frame.name, file: frame.file, line: frame.line,
		self: frame.getSelfWeight(), total: frame.getTotalWeight() }));
	return { name: profile.getName(), unit: profile.getWeightUnit(), weight: profile.getTotalWeight(),
		self: profile.getTotalNonIdleWeight(), functions };
}

const read = {};
for (const file of files) {
	const bytes = fs.readFileSync(file);
	const copy = new Uint8Array(bytes).buffer;
	const group = await context.importer.importProfilesFromArrayBuffer(path.basename(file), copy);
	if (!group) throw new Error(`speedscope does not know ${file}`);
	read[path.basename(file)] = { name: group.name, shown: group.indexToView, profiles: group.profiles.map(describe) };
}
process.stdout.write(JSON.stringify(read) + "\n");
