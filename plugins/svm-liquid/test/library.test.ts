import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

t.test('the plugin loads as an ES module, and its library prints nothing', async (t) => {
  const entry = new URL('../src/index.ts', import.meta.url).href
  const program = `const { default: plugin } = await import(${JSON.stringify(entry)}); process.stdout.write(plugin.protocol.prefix)`
  const options = ['--conditions=@svc/source', '--input-type=module', '--eval', program]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, options)
  t.equal(stdout, '/svm-one/liquid-b')
  t.equal(stderr, '')
})
