#!/usr/bin/env node
import "../dist/create/bin.js";
