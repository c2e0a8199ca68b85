// What recognizes files by their first bytes, in one module: its package comes with eight others.

export { fileTypeFromBuffer, supportedMimeTypes } from 'file-type'
