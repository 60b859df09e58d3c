import t from 'tap'
import { folder, svc } from './cli-process.ts'

const commands = [
  [],
  ['start'],
  ['check'],
  ['keys'],
  ...['create', 'list', 'show', 'update', 'revoke'].map((name) => ['keys', name]),
  ['tokens'],
  ['tokens', 'create'],
  ['audit'],
]

t.test('every command has a help that fits 80 columns and shows the global options', async (t) => {
  const cwd = await folder(t)
  const helps = await Promise.all(commands.map((command) => svc([...command, '--help'], { cwd })))
  for (const [index, { code, stdout, stderr }] of helps.entries()) {
    const name = `svc ${commands[index]!.join(' ')}`
    t.equal(code, 0, name)
    t.equal(stderr, '', `${name} says it on stdout`)
    t.match(stdout, `Usage: ${name.trim()}`)
    t.match(stdout, '--config <file>')
    t.same(
      stdout.split('\n').filter((line) => line.length > 80),
      [],
      `${name} fits`,
    )
  }
})

t.test('a misspelt command or option is refused with the one that was meant', async (t) => {
  const cwd = await folder(t)
  const [command, option, nested, port] = await Promise.all([
    svc(['strat'], { cwd }),
    svc(['start', '--prot', '1'], { cwd }),
    svc(['keys', 'lits'], { cwd }),
    svc(['start', '--port', '70000'], { cwd }),
  ])
  t.match(command, { code: 1, stdout: '', stderr: /Did you mean start\?/ })
  t.match(option, { code: 1, stdout: '', stderr: /Did you mean --port\?/ })
  t.match(nested, { code: 1, stdout: '', stderr: /Did you mean list\?/ })
  t.match(port, { code: 1, stdout: '', stderr: /It must be a number from 0 to 65535\./ })
})
