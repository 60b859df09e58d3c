import { spawnSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'
import tap from 'tap'

/** A name that is not this machine's own: what browsers forgive localhost shows itself there only. */
export const HOST = 'stake.test'

/** The headless shell first: it is the same engine without the windows, profiles and services of a browser, for half of the processor's time. */
const NAMES = ['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const program = [process.env.SVC_CHROMIUM ?? [], NAMES].flat().find((each) => spawnSync(each, ['--version']).status === 0)

/** Why a browser test is skipped; false where Chromium is, and where it must not be missing, so that the test fails. */
export const lacking =
  program === undefined && process.env.CI === undefined && process.env.SVC_CHROMIUM === undefined && 'this machine has no Chromium'

/** Whatever ends: a test, or a command. */
export interface Ending {
  teardown(end: () => unknown): void
}

let shared: Promise<Browser> | undefined

/** One Chromium for all files of a process, which ends with it. */
export function browserOfAll(): Promise<Browser> {
  shared ??= launch(tap)
  return shared
}

/** A Chromium that ends with what it is for. It knows `stake.test` as this machine. */
export async function launch(t: Ending, env: Readonly<Record<string, string>> = {}): Promise<Browser> {
  if (program === undefined) throw new Error('No Chromium runs here: install one, or name one that runs in SVC_CHROMIUM.')
  const browser = await chromium.launch({
    executablePath: spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim(),
    // Chromium's own sandbox does not start as root.
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...process.env, ...env },
    args: [
      `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--force-color-profile=srgb',
      '--hide-scrollbars',
      // What changed is drawn with all around it: else edges depend on how often they were drawn.
      '--disable-partial-raster',
      // No page lives long enough to earn what optimizing its scripts takes: a fifth of the processor's time.
      '--js-flags=--no-opt,--no-maglev',
    ],
  })
  t.teardown(() => browser.close())
  return browser
}
