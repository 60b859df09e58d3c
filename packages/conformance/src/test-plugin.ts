import { type Finding, shown } from './check.ts'
import type { ConformanceOptions } from './options.ts'
import { type Place, placeOfCall } from './place.ts'
import { chosen, startRun } from './run.ts'

/** The part of a test that is used here; that of the `tap` library fits. */
export interface TestLike {
  /** @param extra `at` is the place of the test that asked for it */
  test(name: string, extra: { readonly at?: Place }, run: (t: TestLike) => Promise<void>): PromiseLike<unknown>
  /** @param extra `skip` for a group that was not run, with the reason */
  pass(name: string, ...extra: [] | [{ readonly skip: string }]): unknown
  fail(name: string, extra: { readonly found?: unknown; readonly wanted?: unknown }): unknown
  setTimeout?(ms: number): unknown
}

/** More than any plugin takes on a slow machine; the default of tap, half a minute, is for unit tests. TAP_TIMEOUT, in seconds, is more for whoever tries more. */
const TIMEOUT_MS = Math.max(600_000, 1_000 * Number(process.env.TAP_TIMEOUT ?? 0))

/** Findings of a group that are named one by one; the rest is one line, since some groups make hundreds. */
const NAMED = 40

/** Most characters of what was found in the line of a failure. */
const WHOLE = 1000

/**
 * Tests a plugin: boots the real service with it on its local chain, and runs every group as a subtest of `t`.
 *
 * @throws SandboxError when the chain cannot be started
 */
export async function testPlugin(t: TestLike, options: ConformanceOptions): Promise<void> {
  const at = placeOfCall(testPlugin)
  t.setTimeout?.(TIMEOUT_MS)
  const run = await startRun(options)
  try {
    for (const name of chosen(options))
      await t.test(`${options.plugin.protocol.name}: ${name}`, at ? { at } : {}, async (t) => {
        t.setTimeout?.(TIMEOUT_MS)
        const { findings, skipped } = await run.group(name)
        if (skipped === undefined) report(t, findings)
        else t.pass(`not run: ${skipped}`, { skip: skipped })
      })
  } finally {
    await run.close()
  }
}

/** Reports the findings of a group to a test. */
export function report(t: TestLike, findings: readonly Finding[]): void {
  if (findings.length === 0) t.fail('the group made a finding', {})
  const headlines = findings.filter(({ ok, headline }) => ok && headline)
  const passed = findings.filter(({ ok, headline }) => ok && !headline)
  for (const { name } of [...headlines, ...passed.slice(0, NAMED)]) t.pass(name)
  if (passed.length > NAMED) t.pass(`and ${passed.length - NAMED} more`)
  for (const { ok, name, found: actual, expected: expectation } of findings)
    if (!ok) t.fail(`${name}${actual === undefined ? '' : `: found ${shown(actual, WHOLE)}`}`, { found: actual, wanted: expectation })
}
