import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from '@svc/contract'
import { type CodedAsset, codedText } from './files.ts'

/**
 * Policy of the page: nothing inline, nothing from another origin, and no text ever becomes HTML or script (Trusted Types). The one policy that may be made, once, makes the
 * address of the worker in which intents run. `base-uri` is for the base that is written in below. There is no `upgrade-insecure-requests`: on plain http, browsers would ask for every file by https, and the page would stay white.
 */
export const DASHBOARD_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svc-realm',
].join('; ')

/**
 * Policy of every script that is served, which counts for the one that runs as a worker: what it loads is the service's own, and it reaches nobody, the service
 * included. A script within a page has the page's policy. The dashboard's tests try it in a browser.
 */
export const SCRIPT_POLICY = "default-src 'none'; script-src 'self'"

/** Deepest path of the page, in slashes below `/dashboard/`. */
const DEEPEST = 4

/**
 * Makes the page for each depth of path, from 0 on. The pages differ only in their base, which is relative, so that the page works behind any prefix that a proxy removes,
 * without a setting.
 *
 * @throws SettingsError when the file is not what a build writes
 */
export function readPages(folder: string): readonly CodedAsset[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  if (!html.includes('<head>')) throw new SettingsError(`${join(folder, 'index.html')} has no <head>: build @svc/dashboard anew.`)
  return Array.from({ length: DEEPEST + 1 }, (_, depth) =>
    codedText('.html', html.replace('<head>', `<head><base href="${depth === 0 ? './' : '../'.repeat(depth)}">`)),
  )
}
