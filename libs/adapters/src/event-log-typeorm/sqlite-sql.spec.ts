import { Database } from 'sqlite3';
import { sqliteSql } from './sqlite-sql';

describe('statements on a connection to SQLite', () => {
  it('stay prepared as long as they come again, however many others come between', async () => {
    const database = new Database(':memory:');
    const sql = sqliteSql(database);
    const prepare = jest.spyOn(database, 'prepare');
    const often = 'SELECT ? AS often';
    for (let i = 0; i < 250; i += 1) {
      expect(await sql.query(often, [i])).toEqual([{ often: i }]);
      expect(await sql.query(`SELECT ${i} AS once`)).toEqual([{ once: i }]);
    }
    const texts = prepare.mock.calls.map(([text]) => text);
    expect(texts.filter((text) => text === often)).toHaveLength(1);
    await sql.finalize();
    await new Promise<void>((resolve, reject) => database.close((error) => (error ? reject(error) : resolve())));
  });
});
