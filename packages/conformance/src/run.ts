import { namesOf } from '@svc/contract/host'
import { createCheck, type Finding, thrown } from './check.ts'
import { CRAFTLESS, groups } from './groups/index.ts'
import type { GroupName } from './groups/name.ts'
import type { ConformanceOptions } from './options.ts'
import { type Subject, startSubject } from './subject.ts'
import { startWorld, type World } from './world.ts'

/** Result of a group. */
export interface GroupResult {
  readonly group: GroupName
  readonly ok: boolean
  readonly findings: readonly Finding[]
  /** Why it was not run: an example cannot be crafted, which the first group that was run has said. */
  readonly skipped?: string
  /** Milliseconds. */
  readonly took: number
}

/** A plugin with everything that it is tested in. */
interface Run {
  /** Never rejects: what a group throws is a finding too. */
  group(name: GroupName): Promise<GroupResult>
  close(): Promise<void>
}

/**
 * Runs the groups one after the other, and collects their findings.
 *
 * @param world a chain that runs already, and is left running. @default one is started from the scenario, and closed
 * @throws SandboxError when the chain cannot be started
 */
export async function checkPlugin(options: ConformanceOptions, world?: World): Promise<readonly GroupResult[]> {
  const run = await startRun(options, world)
  const results: GroupResult[] = []
  try {
    for (const name of chosen(options)) results.push(await run.group(name))
    return results
  } finally {
    await run.close()
  }
}

/**
 * Starts a chain and a service with the plugin. A service that does not start is a finding of each group.
 *
 * @param sharedWorld chain that runs already, and is left running @default one of its own, closed with the run
 * @throws SandboxError when the chain cannot be started
 */
export async function startRun(options: ConformanceOptions, sharedWorld?: World): Promise<Run> {
  const world = sharedWorld ?? (await startWorld(options.scenario))
  let subject: Subject | undefined
  let refusal: string | undefined
  try {
    subject = await startSubject(options, world)
  } catch (error) {
    refusal = thrown(error)
  }
  const examples = once(async (of: Subject) => {
    const check = createCheck()
    await groups.examples(of, check)
    return check.findings
  })
  let isTold = false

  /** Returns the findings that replace those of a group that crafts while an example cannot be crafted: the reason once, and then that it was not run. */
  async function instead(of: Subject, name: GroupName): Promise<Pick<GroupResult, 'findings' | 'skipped'> | null> {
    if (CRAFTLESS.has(name)) return null
    const findings = await examples(of)
    const failed = findings.filter(({ ok }) => !ok)
    if (name !== 'examples' && failed.length === 0) return null
    if (name !== 'examples' && isTold) return { findings: [], skipped: 'an example cannot be crafted' }
    isTold = true
    return { findings: name === 'examples' ? findings : failed }
  }

  return {
    async group(name) {
      const check = createCheck()
      const began = performance.now()
      let other: Awaited<ReturnType<typeof instead>> = null
      try {
        if (!subject) check.fail('a server starts with the plugin', refusal)
        else {
          other = await instead(subject, name)
          if (!other) await groups[name](subject, check)
        }
      } catch (error) {
        check.fail('the group came to its end', thrown(error))
      }
      const result = other ?? { findings: check.findings }
      return { group: name, ok: result.findings.every(({ ok }) => ok), ...result, took: performance.now() - began }
    },
    async close() {
      await subject?.close()
      if (!sharedWorld) await world.close()
    },
  }
}

/** Lists the groups to run, in their order: those that the options name, limited to those of SVC_GROUPS where it is set. */
export function chosen(options: ConformanceOptions): readonly GroupName[] {
  const only = process.env.SVC_GROUPS?.split(',')
  const names = namesOf(groups)
  return names.filter((name) => (options.groups?.includes(name) ?? true) && (only?.includes(name) ?? true))
}

/** Made when first asked for, and then kept. */
function once<In, Out>(make: (candidate: In) => Promise<Out>): (argument: In) => Promise<Out> {
  let outcome: Promise<Out> | undefined
  return (input) => {
    outcome ??= make(input)
    return outcome
  }
}
