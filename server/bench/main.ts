// `pnpm bench`: what the service itself costs. Figures depend on the machine; ratios less so.
import { availableParallelism, cpus } from 'node:os'
import { benchAudit } from './audit.ts'
import { benchBudget } from './budget/budget.ts'
import { benchCrafts } from './crafts.ts'
import { benchEvents } from './events.ts'
import { benchFlood } from './flood.ts'
import { benchKeys } from './keys.ts'
import { benchKills } from './kills.ts'
import { benchLoad } from './load.ts'
import { benchMemory } from './memory.ts'
import { benchReload } from './reload.ts'
import { benchSlow } from './slow.ts'
import { benchStart } from './start.ts'
import { benchStatements } from './statements.ts'
import { benchUpgrade } from './upgrade.ts'
import { benchWatch } from './watch.ts'

console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}`)
for (const [name, bench] of Object.entries({
  budget: benchBudget,
  crafts: benchCrafts,
  audit: benchAudit,
  keys: benchKeys,
  load: benchLoad,
  flood: benchFlood,
  slow: benchSlow,
  start: benchStart,
  memory: benchMemory,
  reload: benchReload,
  kills: benchKills,
  events: benchEvents,
  watch: benchWatch,
  statements: benchStatements,
  upgrade: benchUpgrade,
})) {
  if (process.argv.length > 2 && !process.argv.includes(name)) continue
  console.error(`… ${name}`)
  console.log(await bench())
}
