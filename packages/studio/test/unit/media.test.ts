// Files: their kinds, what can be shown of them without running anything, and the tree of folders.

import t from 'tap'
import { destinationsOf, foldersIn, pathTo } from '../../src/model/folders.ts'
import { parseLibraryAddress } from '../../src/model/library-address.ts'
import {
  acceptedTypes,
  kindOf,
  kindsFilter,
  kindsTaken,
  type MediaFile,
  pictureOf,
  safeAddress,
} from '../../src/model/media.ts'
import { mediaRightsOf } from '../../src/model/media-rights.ts'

const file: MediaFile = {
  id: 1,
  name: 'a.png',
  alternativeText: null,
  caption: null,
  width: 10,
  height: 10,
  formats: { thumbnail: { url: '/uploads/thumbnail_a.png' } },
  ext: '.png',
  mime: 'image/png',
  size: 1,
  url: '/uploads/a.png',
}

t.test('kinds of files', async t => {
  t.equal(kindOf({ mime: 'video/mp4' }), 'video')
  t.equal(kindOf({ mime: 'application/pdf' }), 'file')
  t.same(kindsTaken({ allowedTypes: ['videos', 'images'] }), ['image', 'video'])
  t.equal(kindsTaken({}).length, 4)
  t.same(acceptedTypes(['image', 'audio']), ['image/*', 'audio/*'])
  t.same(acceptedTypes(['image', 'file']), [])
  t.equal(kindsFilter(kindsTaken({})), undefined)
  t.same(kindsFilter(['video']), { mime: { $startsWith: 'video/' } })
  t.match(kindsFilter(['file']), { $not: { $or: [{}, {}, {}] } })
})

t.test('addresses that could run a script are not used', async t => {
  t.equal(pictureOf(file), '/uploads/thumbnail_a.png')
  t.match(pictureOf({ ...file, updatedAt: '2026-01-01T00:00:00.000Z' }), /thumbnail_a\.png\?updated=\d+$/)
  t.equal(pictureOf({ ...file, mime: 'text/html' }), null)
  const signed = { ...file, formats: null, url: 'https://media.example.com/a.png?sign=1' }
  t.equal(pictureOf({ ...signed, updatedAt: '2026-01-01T00:00:00.000Z' }), signed.url)
  for (const address of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
  ])
    t.equal(safeAddress(address), null, address)
})

t.test('the tree of folders', async t => {
  const folderOf = (id: number, name: string, parentId: number | null) => ({
    id,
    name,
    parentId,
    folderCount: 0,
    fileCount: 0,
  })
  const folders = [folderOf(1, 'B', null), folderOf(2, 'a 10', 1), folderOf(3, 'a 9', 1), folderOf(4, 'A', null)]
  t.same(
    foldersIn(folders, 1).map(({ name }) => name),
    ['a 9', 'a 10'],
  )
  t.same(
    pathTo(folders, 2).map(({ id }) => id),
    [1, 2],
  )
  t.same(pathTo(folders, 9), [])
  t.same(pathTo([folderOf(1, 'A', 2), folderOf(2, 'B', 1)], 1).length, 2, 'a circle ends')
  t.same(
    destinationsOf(folders).map(({ path }) => path),
    ['A', 'B', 'B / a 9', 'B / a 10'],
  )
  t.same(
    destinationsOf(folders, [1]).map(({ id }) => id),
    [4],
    'a folder is not moved below itself',
  )
})

t.test('addresses and rights of the library', async t => {
  t.same(parseLibraryAddress({ folder: 3, q: 'sea', kind: 'image', sort: 'name:asc', page: 2, file: 5, other: 1 }), {
    folder: 3,
    q: 'sea',
    kind: 'image',
    sort: 'name:asc',
    page: 2,
    file: 5,
  })
  t.same(parseLibraryAddress({ folder: '../x', kind: 'x', sort: 'hash:asc', page: 1, file: -1 }), {})
  t.match(mediaRightsOf(new Set(['plugin::upload.folder.create'])), { createFolders: false })
  t.match(mediaRightsOf(new Set(['plugin::upload.folder.create', 'plugin::upload.folder.find'])), {
    createFolders: true,
  })
})
