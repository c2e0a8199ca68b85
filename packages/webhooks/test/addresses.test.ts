// No request reaches an address that is not public, however it is written and whatever leads to it.

import type { LookupAddress } from 'node:dns'
import t from 'tap'
import { Addresses, faultOfRange, type Resolve } from '../src/addresses.ts'
import { Sender } from '../src/sender.ts'
import { receive } from './fixtures/receiver.ts'

const request = (url: string) => ({ url, headers: {}, body: '{}' })

/** Names that have these addresses. */
const named =
  (...addresses: readonly string[]): Resolve =>
  (_name, _options, done) =>
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

t.test('addresses', async t => {
  const addresses = new Addresses([])
  for (const one of ['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])
    t.equal(addresses.mayConnect(one), true, one)
  const closed = [
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.9.9.9',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...['192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:a00:1'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'ff02::1'],
    ...['localhost', '', '1.1.1'],
  ]
  for (const one of closed) t.equal(addresses.mayConnect(one), false, one)
  const some = new Addresses(['10.1.0.0/16', '::1', '127.0.0.1'])
  for (const one of ['10.1.2.3', '::1', '127.0.0.1', '1.1.1.1', '::ffff:10.1.0.1'])
    t.equal(some.mayConnect(one), true, one)
  for (const one of ['10.2.2.3', '127.0.0.2', 'fe80::1']) t.equal(some.mayConnect(one), false, one)
})

t.test('ranges of the settings', async t => {
  for (const one of ['10.0.0.0/8', '127.0.0.1', '::1', 'fc00::/7', '10.0.0.0/32']) t.equal(faultOfRange(one), null, one)
  for (const one of ['10.0.0.0/33', 'localhost', '10.0.0/8', '::1/129', '10.0.0.0/8/8', '10.0.0.0/x', ''])
    t.match(faultOfRange(one), /expected an address/, one)
})

t.test('a server of this machine is reached by no name and by no spelling', async t => {
  const { port, url, all } = await receive(t)
  const refused = new Sender(new Addresses([]), 1000)
  const spellings = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'],
    ...['[::ffff:7f00:1]', 'localhost'],
  ]
  for (const host of spellings) {
    const outcome = await refused.send(request(`http://${host}:${port}/x`))
    t.match(outcome, { status: null, fault: /is not a public address; allowAddresses can allow it/ }, host)
  }
  // What a name leads to is looked at when it is connected to.
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1', 'fe80::1']) {
    const sender = new Sender(new Addresses([], named(address)), 1000)
    const outcome = await sender.send(request(`http://hooks.example.com:${port}/x`))
    t.match(outcome.fault, /^hooks\.example\.com, which is \S+, is not a public address/, address)
    sender.close()
  }
  t.same(all, [])
  const allowed = new Sender(new Addresses(['127.0.0.1'], named('10.0.0.1', '127.0.0.1')), 1000)
  t.match(await allowed.send(request(`http://hooks.example.com:${port}/x`)), { status: 200, fault: null })
  t.match(await allowed.send(request(url)), { status: 200 })
  t.equal(all.length, 2, 'of several addresses, those that are allowed')
  refused.close()
  allowed.close()
})

t.test('a redirect is not followed', async t => {
  const inner = await receive(t)
  const outer = await receive(t, response => void response.writeHead(307, { location: inner.url }).end())
  const sender = new Sender(new Addresses(['127.0.0.1']), 1000)
  t.match(await sender.send(request(outer.url)), {
    status: 307,
    fault: 'answered with 307, a redirect, which is not followed',
  })
  t.equal(outer.all.length, 1)
  t.same(inner.all, [])
  sender.close()
})
