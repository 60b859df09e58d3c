// A run that starts a program and a folder, says which, and is killed by the test.
import { startKeeper } from '../src/keeper.ts'
import { createPrograms } from '../src/programs.ts'

const keeper = startKeeper()
const folder = await keeper.folder()
const running = createPrograms(keeper).start(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], `${folder}/log`)
console.log(JSON.stringify({ pid: running.pid, folder }))
setInterval(() => {}, 1_000)
