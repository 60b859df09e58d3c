#!/usr/bin/env -S node --max-semi-space-size=8
// The command `svc`. Plain JavaScript that every Node since 14 can read, so that one which is too old is told what is wanted.
import { readFileSync } from 'node:fs'

const wanted = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).engines.node.replace(/^>=/, '')
const [major, minor] = wanted.split('.').map(Number)
const [hasMajor, hasMinor] = process.versions.node.split('.').map(Number)

if (hasMajor < major || (hasMajor === major && hasMinor < minor)) {
  console.error(
    `svc runs on Node ${wanted} or newer, and this is Node ${process.versions.node} (${process.execPath}). Install a newer one.`,
  )
  process.exitCode = 1
} else {
  await import('./dist/main.js')
}
