#!/usr/bin/env node
// Plain JavaScript, because it switches on the cache that spares every later start the compiling of the rest.
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("../runtime/main.ts");
