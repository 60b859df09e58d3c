import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folder, svc } from './cli-process.ts'

/** What each shell answers to a line that ends where the cursor is. */
const SHELLS: Readonly<Record<string, (script: string, line: string) => readonly string[]>> = {
  bash: (script, line) => {
    const words = line.split(' ')
    return [
      '-c',
      `source ${script}; COMP_WORDS=(${words.map((each) => `'${each}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]
  },
  // The functions of its completion system, which an interactive shell has.
  zsh: (script, line) => {
    const words = line.split(' ')
    const stubs = `compdef() { :; }; _files() { print -l -- *(N); }; _describe() { print -l -- "\${(@P)2}"; }`
    const said = `words=(${words.map((each) => `'${each}'`).join(' ')}); CURRENT=${words.length}; _svc | sed 's/:.*//'`
    return ['-f', '-c', `${stubs}; source ${script}; ${said}`]
  },
  fish: (script, line) => [
    '--no-config',
    '-c',
    `source ${script}; complete -C ${JSON.stringify(line)} | string replace -r '\\t.*' ''; true`,
  ],
}

for (const [shell, ask] of Object.entries(SHELLS)) {
  const there = spawnSync(shell, ['--version']).status === 0
  t.test(
    `${shell} completes commands, options and their values`,
    { skip: there ? false : `there is no ${shell} on this machine` },
    async (t) => {
      const cwd = await folder(t)
      const printed = await svc(['completion', shell], { cwd })
      t.match(printed, { code: 0, stderr: '' })
      const script = join(cwd, 'completion')
      await writeFile(script, printed.stdout)
      await writeFile(join(cwd, 'svc.config.json'), '{}')
      const answers = (line: string) => {
        const { status, stdout, stderr } = spawnSync(shell, ask(script, line), { cwd, encoding: 'utf8' })
        t.equal(stderr, '', line)
        t.equal(status, 0, line)
        return stdout.split('\n').filter(Boolean)
      }
      const all = ['init', 'start', 'check', 'keys', 'tokens', 'audit', 'webhooks', 'tx', 'trust', 'inspector', 'completion']
      const first = answers('svc ')
      for (const name of all) t.ok(first.includes(name), name)
      t.same(answers('svc keys ').toSorted(), ['create', 'delete', 'list', 'revoke', 'show', 'update'])
      t.ok(answers('svc --debug webhooks ').includes('replay'), 'behind a global option too')
      t.same(answers('svc completion ').toSorted(), ['bash', 'fish', 'zsh'])
      t.same(answers('svc audit --outcome ').toSorted(), ['failed', 'ok', 'open', 'refused'])
      t.ok(answers('svc audit --').includes('--request-id'))
      t.ok(answers('svc keys create --').includes('--expires'))
      t.notOk(answers('svc keys create --').includes('--request-id'), 'which is of another command')
      t.ok(answers('svc keys delete --').includes('--account'), 'an alias has the options of its command')
      t.ok(answers('svc check --config ').includes('svc.config.json'), 'a file')
      t.same(answers('svc audit --account '), [], 'of what is not known nothing')
    },
  )
}

t.test('a shell that is none is refused', async (t) => {
  const cwd = await folder(t)
  t.match(await svc(['completion', 'tcsh'], { cwd }), { code: 1, stdout: '', stderr: /Allowed choices are bash, zsh, fish/ })
})
