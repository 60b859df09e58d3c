#!/usr/bin/env node
// The command `svc-verify`.
import './dist/cli/main.js'
