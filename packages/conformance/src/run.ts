import { createCheck, type Finding, thrown } from './check.ts'
import { type GroupName, groups } from './groups/index.ts'
import type { ConformanceOptions } from './options.ts'
import { type Subject, startSubject } from './subject.ts'
import { startWorld, type World } from './world.ts'

/** What a group came to. */
export interface GroupResult {
  readonly group: GroupName
  readonly ok: boolean
  readonly findings: readonly Finding[]
  /** Milliseconds. */
  readonly took: number
}

/** A plugin with everything that it is tested in. */
export interface Run {
  /** Never rejects: what a group throws is a finding too. */
  group(name: GroupName): Promise<GroupResult>
  close(): Promise<void>
}

/**
 * Runs the groups one after the other and collects what they find.
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

export async function startRun(options: ConformanceOptions, given?: World): Promise<Run> {
  const world = given ?? (await startWorld(options.scenario))
  let subject: Subject | undefined
  let refusal: string | undefined
  try {
    subject = await startSubject(options, world)
  } catch (error) {
    refusal = thrown(error)
  }
  return {
    async group(name) {
      const check = createCheck()
      const began = performance.now()
      try {
        if (subject) await groups[name](subject, check)
        else check.fail('a server starts with the plugin', refusal)
      } catch (error) {
        check.fail('the group came to its end', thrown(error))
      }
      const { findings } = check
      return { group: name, ok: findings.every(({ ok }) => ok), findings, took: performance.now() - began }
    },
    async close() {
      await subject?.close()
      if (!given) await world.close()
    },
  }
}

/** The groups that the options name, in the order in which they run. */
export function chosen(options: ConformanceOptions): readonly GroupName[] {
  const names = Object.keys(groups) as GroupName[]
  return options.groups ? names.filter((name) => options.groups!.includes(name)) : names
}
