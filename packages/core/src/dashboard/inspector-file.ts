import { hash } from 'node:crypto'
import { SettingsError } from '@svc/contract'
import type { IntentScript } from './intents.ts'

/** Place in the built file where the intents go. */
const PLACE = '<!-- intents -->'
/** Beginning of the part of the file's policy that says which scripts run. */
const POLICY = 'script-src '

/** Takes up what the script before it has defined, so that the next one may define the same. */
const COLLECT = '(self.svcIntents??=[]).push(self.svcIntent);self.svcIntent=undefined'

/**
 * Writes the Inspector as one file that contains the intents of the installed plugins: the page's own file, and each script in an element of its own, so that a script that
 * fails does not stop the others. The file's policy names every script by its hash.
 *
 * @param built what the build of @svc/dashboard has written
 * @throws SettingsError when it is something else
 */
export function inspectorFile(built: string, scripts: readonly Pick<IntentScript, 'text'>[]): string {
  if (!built.includes(PLACE) || !built.includes(POLICY))
    throw new SettingsError('inspector.html of @svc/dashboard has no place for intents: build @svc/dashboard anew.')
  if (scripts.length === 0) return built
  const texts = scripts.flatMap(({ text }) => [inline(text), COLLECT])
  const hashes = [...new Set(texts)].map((text) => `'sha256-${hash('sha256', text, 'base64')}'`).join(' ')
  const elements = texts.map((text) => `<script>${text}</script>`).join('\n')
  return built.replace(POLICY, () => `${POLICY}${hashes} `).replace(PLACE, () => elements)
}

/** Masks what would end the element, or begin a comment within it. @see https://html.spec.whatwg.org/#restrictions-for-contents-of-script-elements (read 2026-11-22) */
function inline(script: string): string {
  return script.trim().replaceAll(/<(?=\/script|!--|script)/gi, () => '\\x3C')
}
