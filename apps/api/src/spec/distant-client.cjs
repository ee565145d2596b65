/**
 * A client in a process of its own: in ours, client and server would take turns, and nothing would be on its way when the server
 * closes the connection. Sends stdin to the port of argv[2] and prints what comes back; fails where the connection is reset.
 */
const { connect } = require('node:net');

const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk));
process.stdin.on('end', () => {
  const socket = connect({ port: Number(process.argv[2]), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('data', (chunk) => process.stdout.write(chunk));
  socket.on('end', () => socket.end());
  socket.on('error', (error) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  });
  socket.write(Buffer.concat(chunks));
});
