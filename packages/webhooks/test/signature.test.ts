// Signatures: those of the documents of Standard Webhooks, and what a receiver must refuse.

import t from 'tap'
import { isSigned, sign } from '../src/signature.ts'

const secret = 'a secret of sixteen'
const body = '{"event":"entry.create"}'
const now = () => Math.floor(Date.now() / 1000)

function signed(time: number, more: object = {}) {
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': String(time),
    'webhook-signature': sign({ id: 'one', time, body }, [secret]),
  }
  return { headers: { ...headers, ...more }, body, secret }
}

t.test('the example of Standard Webhooks', async t => {
  const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', time: 1614265330, body: '{"test": 2432232314}' }
  t.equal(sign(example, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

t.test('what was signed is accepted', async t => {
  t.equal(isSigned(signed(now())), true)
  t.equal(isSigned(signed(now() - 290)), true)
  const both = sign({ id: 'one', time: now(), body }, ['another secret, a new one', secret])
  t.match(both, /^v1,\S+ v1,\S+$/)
  t.equal(isSigned(signed(now(), { 'webhook-signature': both })), true, 'one of two secrets is enough')
})

t.test('everything else is refused', async t => {
  const time = now()
  const { headers } = signed(time)
  t.equal(isSigned({ ...signed(time), body: `${body} ` }), false, 'another body')
  t.equal(isSigned({ ...signed(time), secret: `${secret}x` }), false, 'another secret')
  t.equal(isSigned(signed(time, { 'webhook-id': 'two' })), false, 'another id')
  t.equal(isSigned(signed(time, { 'webhook-timestamp': String(time + 1) })), false, 'another time')
  t.equal(isSigned(signed(time - 400)), false, 'an old one')
  t.equal(isSigned(signed(time + 400)), false, 'one of the future')
  t.equal(isSigned({ ...signed(time - 400), tolerance: 500 }), true)
  t.equal(isSigned(signed(time, { 'webhook-signature': 'v1,' })), false)
  t.equal(isSigned(signed(time, { 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') })), false)
  t.equal(isSigned(signed(time, { 'webhook-timestamp': `${time}.0` })), false)
  t.equal(isSigned({ headers: {}, body, secret }), false, 'none')
})
