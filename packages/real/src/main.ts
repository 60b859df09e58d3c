import { join } from 'node:path'
import { build, cacheFolder, findBuilt } from './cache.ts'
import { type Keeper, startKeeper } from './keeper.ts'
import type { RealNode } from './node.ts'
import { nodes } from './nodes.ts'
import { type Options, readOptions, USAGE, UsageError } from './options.ts'
import { createPrograms, findProgram, type Programs } from './programs.ts'
import { createRecorder } from './recorder.ts'
import { createReport, type Report } from './report.ts'
import { startService } from './service.ts'

/** The signals that end a run, each by its number in an exit code. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Runs the command. @returns its exit code */
async function main(options: Options): Promise<number> {
  const counts = { passed: 0, failed: 0 }
  const report = createReport(counts, (line) => console.log(line), [])
  const keeper = startKeeper()
  for (const [signal, code] of Object.entries(SIGNALS))
    process.once(signal, () => {
      console.log(`${signal}: ending what was started`)
      void keeper.close().then(() => process.exit(code))
    })
  const began = Date.now()
  const programs = createPrograms(keeper)
  const ready: [RealNode, string][] = []
  try {
    console.log(`seed ${options.seed}, ${options.actions} random actions a chain`)
    // One after the other: each build uses all cores.
    for (const node of nodes.filter(({ name }) => options.nodes.includes(name))) {
      const built = await programsOf(node, options, programs, report.within(node.name))
      if (built !== null) ready.push([node, built])
    }
    if (!options.buildOnly)
      await Promise.all(ready.map(([node, built]) => play(node, built, options, programs, keeper, report.within(node.name))))
  } finally {
    await keeper.close()
  }
  console.log(`\n${Math.round((Date.now() - began) / 1_000)} s`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  return counts.failed === 0 ? 0 : 1
}

/** @returns the folder of its programs; null where they cannot be had, which was told */
async function programsOf(node: RealNode, { wherePossible }: Options, programs: Programs, report: Report): Promise<string | null> {
  const { folder, there } = await findBuilt(node, cacheFolder(process.env))
  if (there) return folder
  const needed = await Promise.all(node.needs.map(async (name) => ((await findProgram(name)) === null ? [name] : [])))
  const missing = needed.flat()
  if (missing.length > 0) {
    const reason = `not run: it is not built yet, and to build it ${missing.join(' and ')} must be installed`
    if (wherePossible) report.say(reason)
    else report.check('can be built', false, reason)
    return null
  }
  const reason = wherePossible ? await node.whyNot?.() : null
  if (reason) {
    report.say(`not run: ${reason}`)
    return null
  }
  try {
    await build(node, programs, folder, report.say)
    return folder
  } catch (error) {
    report.check('is built', false, error)
    return null
  }
}

async function play(node: RealNode, built: string, options: Options, programs: Programs, keeper: Keeper, report: Report): Promise<void> {
  const folder = await keeper.folder()
  let services = 0
  let lives = 0
  try {
    await node.play({
      built,
      folder,
      programs,
      report,
      recorder: createRecorder(node.name, node.software, options.record),
      actions: options.actions,
      seed: options.seed,
      service: (settings) => startService(programs, join(folder, `service-${services++}`), settings),
      async life(name, live) {
        if (options.life !== null && options.life !== name) return
        if (options.without.includes(name)) return report.within(name).say('left out, as the command says')
        lives++
        const within = report.within(name)
        const began = Date.now()
        try {
          await live(within)
        } catch (error) {
          within.check('was played to its end', false, error)
        }
        within.say(`took ${Math.round((Date.now() - began) / 1_000)} s`)
      },
    })
    if (lives === 0) report.check(`has a life ${options.life}`, false, 'no life of that name was played')
  } catch (error) {
    report.check('was played to its end', false, error)
  }
}

try {
  const options = readOptions(
    process.argv.slice(2),
    nodes.map(({ name }) => name),
    new Date(),
  )
  process.exitCode = await main(options)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${USAGE}`)
  process.exitCode = 2
}
