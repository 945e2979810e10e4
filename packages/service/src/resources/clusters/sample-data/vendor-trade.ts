import { Decimal128 } from 'bson';
import {
  cities,
  goods,
  hourOf,
  idOf,
  oneOf,
  people,
  pick,
  rows,
  type SampleCollection,
  type SampleDocument,
} from './generated.ts';

/** The databases `sample_supplies` and `sample_analytics`, with the fields of the vendor's documentation. */

const ACCOUNTS = 60;

const decimal = (cents: number) => Decimal128.fromString((cents / 100).toFixed(2));
const mailOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}@example.org`;
const accountOf = (row: number) => 100_000 + row * 137;

function sale(row: number): SampleDocument {
  const items = rows(1 + pick(row, 1, 4)).map((item) => ({
    name: oneOf(goods, row, 10 + item),
    tags: [...new Set([oneOf(tags, row, 40 + item), oneOf(tags, row, 50 + item)])],
    price: decimal(100 + pick(row, 20 + item, 9_900)),
    quantity: 1 + pick(row, 30 + item, 5),
  }));
  const [storeLocation] = oneOf(cities, row, 2);
  const customer = {
    gender: oneOf(['F', 'M'], row, 3),
    age: 18 + pick(row, 4, 60),
    email: mailOf(oneOf(people, row, 6)),
    satisfaction: 1 + pick(row, 5, 5),
  };
  return {
    _id: idOf(10, row),
    saleDate: hourOf(row * 7),
    items,
    storeLocation,
    customer,
    couponUsed: row % 5 === 0,
    purchaseMethod: oneOf(['In store', 'Online', 'Phone'], row, 7),
  };
}

const tags = ['office', 'writing', 'school', 'travel', 'kids', 'electronics', 'organization'];
const products = ['Derivatives', 'InvestmentStock', 'Brokerage', 'CurrencyService', 'Commodity'];

function account(row: number): SampleDocument {
  return {
    _id: idOf(11, row),
    account_id: accountOf(row),
    limit: 10_000 - pick(row, 1, 4) * 1000,
    products: [...new Set([oneOf(products, row, 2), oneOf(products, row, 3)])],
  };
}

function customer(row: number): SampleDocument {
  const name = oneOf(people, row, 1);
  const tier = `tier${row}`;
  const details = { tier: oneOf(['Bronze', 'Silver', 'Gold'], row, 3), id: tier, active: true, benefits: [] };
  return {
    _id: idOf(12, row),
    username: `${name.split(' ')[0]?.toLowerCase()}${row}`,
    name,
    address: `${1 + pick(row, 4, 900)} ${oneOf(cities, row, 5)[0]} Road`,
    birthdate: new Date(Date.UTC(1960 + pick(row, 6, 40), pick(row, 7, 12), 1 + pick(row, 8, 28))),
    email: mailOf(name),
    active: row % 7 !== 0,
    accounts: [accountOf(row * 2), accountOf(row * 2 + 1)],
    tier_and_details: row % 3 === 0 ? { [tier]: details } : {},
  };
}

function bucket(row: number): SampleDocument {
  const transactions = rows(5).map((at) => {
    const amount = 1 + pick(row, 10 + at, 900);
    const price = 100 + pick(row, 20 + at, 9_900);
    return {
      date: hourOf(row * 50 + at * 9),
      amount,
      transaction_code: oneOf(['buy', 'sell'], row, 30 + at),
      symbol: oneOf(['nvda', 'amzn', 'ibm', 'adbe', 'csco'], row, 40 + at),
      price: (price / 100).toFixed(2),
      total: ((price * amount) / 100).toFixed(2),
    };
  });
  return {
    _id: idOf(13, row),
    account_id: accountOf(row),
    transaction_count: transactions.length,
    bucket_start_date: transactions[0]?.date,
    bucket_end_date: transactions.at(-1)?.date,
    transactions,
  };
}

export function tradeCollections(): SampleCollection[] {
  return [
    { database: 'sample_supplies', collection: 'sales', documents: rows(150).map(sale) },
    { database: 'sample_analytics', collection: 'accounts', documents: rows(ACCOUNTS).map(account) },
    { database: 'sample_analytics', collection: 'customers', documents: rows(ACCOUNTS / 2).map(customer) },
    { database: 'sample_analytics', collection: 'transactions', documents: rows(ACCOUNTS).map(bucket) },
  ];
}
