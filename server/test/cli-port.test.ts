import t from 'tap'
import { folder, launch, svc, writeConfig } from './cli-process.ts'

const bare = { plugins: {}, accounts: { acme: { name: 'Acme' } } }

t.test('the port is the option’s, the variable’s, the config’s, or the environment’s PORT, and the log says whose', async (t) => {
  const cwd = await folder(t)
  const open = await writeConfig(cwd, bare, 'open.json')
  const named = await writeConfig(cwd, { ...bare, listen: { port: 0 }, data_dir: 'named' }, 'named.json')
  const told = async (args: readonly string[], env: Readonly<Record<string, string>>, pattern: RegExp) => {
    const service = launch(['start', ...args], { cwd, env })
    t.teardown(() => service.child.kill('SIGKILL'))
    const { promise, resolve } = Promise.withResolvers<string>()
    void service.ended.then(({ stderr }) => resolve(`it ended: ${stderr}`))
    t.equal(await Promise.race([service.said(pattern).then(() => 'told'), promise]), 'told', args.join(' '))
    service.child.kill('SIGKILL')
    await service.ended
  }
  await told(
    ['--config', open],
    { PORT: '0' },
    /"The port 0 is the environment's PORT, since neither --port nor SVC_PORT nor a config says one\."/,
  )
  await told(['--config', named], { PORT: 'none' }, /"The port 0 is the config's listen\.port\."/)
  await told(['--config', open], { PORT: '1', SVC_PORT: '0' }, /"The port 0 is the environment's SVC_PORT\."/)
  await told(['--config', open, '--port', '0'], { PORT: '1', SVC_PORT: '1' }, /"The port 0 is that of --port\."/)
})

t.test('a PORT that is none is refused with what counts before it', async (t) => {
  const cwd = await folder(t)
  const open = await writeConfig(cwd, bare, 'open.json')
  const sentence =
    /^svc: PORT of the environment is "http"; it must be a number from 0 to 65535\. --port, SVC_PORT or listen\.port in the config count before it\.$/m
  for (const args of [['start', '--config', open], ['start']]) {
    const { code, stderr } = await svc(args, { cwd, env: { PORT: 'http', SVC_DATA: 'other' } })
    t.equal(code, 1)
    t.match(stderr, sentence)
  }
})
